export const faults = [
  {
    breaks: 'A secret sealed for one tenant opens for another',
    file: './sealer.ts',
    find: "hkdfSync('sha256', this.masterKey, 'parley', tenant, 32)",
    put: "hkdfSync('sha256', this.masterKey, 'parley', '', 32)",
  },
];
