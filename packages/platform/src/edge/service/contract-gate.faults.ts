export const faults = [
  {
    breaks: "A route doesn't wait for the revocation check",
    file: './contract.guard.ts',
    find: 'await this.parts.platform.revocations.check(principal);',
    put: 'this.parts.platform.revocations.check(principal).catch(() => undefined);',
  },
  {
    breaks: "A route doesn't check its permission",
    file: './contract.guard.ts',
    find: 'checkRight(route, principal);',
    put: '',
  },
];
