export const faults = [
  {
    breaks: 'Events are written outside the transaction',
    file: '../outbox/outbox.ts',
    within: 'transaction',
    find: 'this.rows.within(scope, { session })',
    put: 'this.rows.within(scope)',
  },
  {
    breaks: 'Events of an aborted attempt are published',
    file: './recording-transaction.ts',
    within: 'commitWork',
    find: 'new RecordingTransaction(opened, origin, kept)',
    put: '((act as { tx?: RecordingTransaction }).tx ??= new RecordingTransaction(opened, origin, kept))',
  },
];
