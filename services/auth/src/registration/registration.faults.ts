export const faults = [
  {
    breaks: 'The credential is stored outside the transaction of the account',
    file: '../users/users.repository.ts',
    within: 'create',
    find: 'this.credentials.within(scope, tx)',
    put: 'this.credentials.within(scope)',
  },
];
