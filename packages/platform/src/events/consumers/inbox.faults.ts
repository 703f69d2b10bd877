export const faults = [
  {
    breaks: 'A redelivered event takes effect twice',
    file: './inbox.ts',
    find: 'if (events.length === 0) return;',
    put: 'return;',
  },
  {
    breaks: 'The inbox is written outside the transaction of the effect',
    file: './inbox.ts',
    within: 'add',
    find: 'this.rows(tx)',
    put: 'this.rows()',
  },
];
