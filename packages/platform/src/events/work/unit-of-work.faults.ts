export const faults = [
  {
    breaks: 'Events are written outside the transaction',
    file: '../outbox/outbox.ts',
    find: 'this.rows.within(scope, { session }).insertMany(rows)',
    put: 'this.rows.within(scope).insertMany(rows)',
  },
  {
    breaks: 'Events of an aborted attempt are published',
    file: './recording-transaction.ts',
    within: 'commitWork',
    find: 'new RecordingTransaction(session, origin, kept)',
    put: '((act as { tx?: RecordingTransaction }).tx ??= new RecordingTransaction(session, origin, kept))',
  },
];
