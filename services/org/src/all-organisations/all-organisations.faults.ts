export const faults = [
  {
    breaks: 'Members of a suspended organisation keep their permissions',
    file: '../rights/rights.service.ts',
    find: 'checkNotSuspended(guard);',
    put: '',
  },
  {
    breaks: 'Suspending an organisation revokes nothing',
    file: '../rights/memberships.repository.ts',
    find: 'if (row) await this.revokeAll(scope, tx, row.rightsVersion);',
    put: '',
  },
  {
    breaks: 'A stale suspension overwrites a newer one',
    file: '../rights/memberships.repository.ts',
    find: '{ _id: scope.orgId, version }',
    put: '{ _id: scope.orgId }',
  },
];
