export const faults = [
  { breaks: 'A revocation leaves sessions in the cache', find: 'this.sessions.clear();', put: '' },
  {
    breaks: "A cached principal isn't checked for revocation",
    find: 'await this.platform.revocations.check(principal);',
    put: '',
  },
  {
    breaks: 'A token for one organisation is reused for another',
    within: 'token',
    find: 'organisation?.orgId',
    put: "''",
  },
];
