export const faults = [
  {
    breaks: 'A revocation is recorded outside the transaction',
    find: 'this.rows.within(scope, tx)',
    put: 'this.rows.within(scope)',
  },
  {
    breaks: 'A revocation is numbered outside the transaction',
    find: 'this.counter.within(scope, tx)',
    put: 'this.counter.within(scope)',
  },
];
