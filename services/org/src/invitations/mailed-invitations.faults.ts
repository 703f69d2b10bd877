export const faults = [
  {
    breaks: 'A resent invitation keeps the secret of its earlier email',
    file: './invitations.consumer.ts',
    find: "{ _id, round, status: 'pending' }",
    put: "{ _id, status: 'pending' }",
  },
  {
    breaks: 'Two processes send the same invitation',
    file: './invitation-mailer.ts',
    find: '{ _id, mailEventId, mailDueAt }',
    put: '{ _id }',
  },
  {
    breaks: 'Thousands of invitations are mailed while people wait',
    file: './invitation-mailer.ts',
    find: 'await untilIdle({ mostMs: waitsMs, signal: this.stopping.signal })',
    put: 'await Promise.resolve()',
  },
];
