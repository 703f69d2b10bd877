export const faults = [
  {
    breaks: 'Any service can sign a token for a person',
    file: './tokens.ts',
    find: "who.kind === 'person' ? payload.iss === 'bff' : payload.iss === who.service",
    put: "who.kind === 'person' || payload.iss === who.service",
  },
  {
    breaks: 'A secret sealed for one tenant opens for another',
    file: './sealer.ts',
    find: "hkdfSync('sha256', this.masterKey, 'parley', tenant, 32)",
    put: "hkdfSync('sha256', this.masterKey, 'parley', '', 32)",
  },
];
