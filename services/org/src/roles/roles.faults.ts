export const faults = [
  {
    breaks: "People remove permissions from a role that they don't have themselves",
    file: './roles.service.ts',
    find: '[...added, ...taken]',
    put: 'added',
  },
  {
    breaks: 'A deleted role is replaced by one with more permissions than the admin has',
    file: './roles.service.ts',
    find: 'checkWithinOwn(principal, (await this.roles.read(scope, replacement, tx)).permissions)',
    put: 'await this.roles.read(scope, replacement, tx)',
  },
  {
    breaks: 'A narrowed role keeps its old permissions until the next sign-in',
    file: '../rights/memberships.repository.ts',
    find: 'await this.revokeAll(scope, tx, next.rightsVersion);',
    put: '',
  },
];
