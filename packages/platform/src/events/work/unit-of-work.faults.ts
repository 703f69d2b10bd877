export const faults = [
  {
    breaks: 'Events are written outside the transaction',
    file: '../outbox/outbox.ts',
    find: '(this.rows.collection as unknown as driver.Collection<OutboxRow>).insertMany(rows, { session })',
    put: '(this.rows.collection as unknown as driver.Collection<OutboxRow>).insertMany(rows)',
  },
  {
    breaks: 'Events of an aborted attempt are published',
    file: './recording-transaction.ts',
    within: 'commitWork',
    find: 'new RecordingTransaction(session, origin, kept)',
    put: '((act as { tx?: RecordingTransaction }).tx ??= new RecordingTransaction(session, origin, kept))',
  },
];
