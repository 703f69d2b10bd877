export const faults = [
  {
    breaks: 'An admin removes someone with more permissions',
    file: './leaving.service.ts',
    find: 'checkWithinOwn(principal, (await this.roles.read(scope, row.role, tx)).permissions);',
    put: '',
  },
  {
    breaks: 'A removed member keeps access until the next sign-in',
    file: '../rights/memberships.repository.ts',
    within: 'remove',
    find: 'await this.revoke(tx, row, rightsVersion);',
    put: '',
  },
  {
    breaks: 'An admin changes someone with more permissions',
    file: './member-acts.ts',
    find: 'checkWithinOwn(principal, (await this.roles.read(scope, row.role, tx)).permissions);',
    put: '',
  },
];
