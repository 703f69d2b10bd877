export const faults = [
  { breaks: 'A revocation is recorded outside the transaction', find: '{ session: tx.session }', put: '{}' },
  {
    breaks: 'A revocation is numbered outside the transaction',
    find: "{ upsert: true, returnDocument: 'after', session: tx.session }",
    put: "{ upsert: true, returnDocument: 'after' }",
  },
];
