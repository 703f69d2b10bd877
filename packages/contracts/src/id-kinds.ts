// Without zod, so that the browser makes ids by this very table: `@parley/contracts/id-kinds`.

/** What has an id, and how the id begins. */
export const idPrefixes = {
  user: 'usr',
  organisation: 'org',
  conversation: 'cnv',
  message: 'msg',
  generation: 'gen',
  provider: 'prv',
  document: 'doc',
  chunk: 'chk',
  event: 'evt',
  ledgerEntry: 'led',
} as const;
export type IdKind = keyof typeof idPrefixes;
