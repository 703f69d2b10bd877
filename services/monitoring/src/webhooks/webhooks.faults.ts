export const faults = [
  {
    breaks: 'Two processes deliver to a webhook at the same time',
    file: './webhooks.repository.ts',
    find: "{ _id, state: 'on', leasedUntil: { $lte: now } }",
    put: "{ _id, state: 'on' }",
  },
];
