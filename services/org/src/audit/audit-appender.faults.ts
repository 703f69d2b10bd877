export const faults = [
  {
    breaks: 'An act of org is published without its audit log entry',
    file: '../../../../packages/platform/src/events/outbox/outbox.ts',
    find: 'await this.beforeCommit?.(events, tx, actorName)',
    put: 'void [events, tx, actorName]',
  },
];
