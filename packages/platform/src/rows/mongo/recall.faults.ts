export const faults = [
  {
    breaks: 'A change in an open transaction is cached before it commits',
    file: './memory.ts',
    find: 'session.whenEnded(() => this.end())',
    put: 'this.end()',
  },
  {
    breaks: 'An organisation gets cached rows of another one',
    file: './rows.ts',
    find: 'JSON.stringify([ownFields(this.definition, scope), what])',
    put: 'what',
  },
];
