export const faults = [
  {
    breaks: 'A stale profile overwrites a newer one',
    file: '../users/users.repository.ts',
    find: 'this.users.within(scope, tx).change({ version }, { $set: changes, $inc: { version: 1 } })',
    put: 'this.users.within(scope, tx).change({}, { $set: changes, $inc: { version: 1 } })',
  },
];
