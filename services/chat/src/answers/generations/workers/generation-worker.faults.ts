export const faults = [
  {
    breaks: 'A stopped worker keeps its leases',
    file: './attempts-in-hand.ts',
    find: 'await this.parts.generations.renew(scope, this.held(), null).catch(() => undefined);',
    put: '',
  },
];
