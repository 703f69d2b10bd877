// Without zod, so that the browser makes ids and query keys by these very tables: `@parley/contracts/names`.

/** What has an id, and how the id begins. */
export const idPrefixes = {
  user: 'usr',
  recovery: 'rcv',
  mail: 'mal',
  organisation: 'org',
  role: 'rol',
  group: 'grp',
  invitation: 'inv',
  auditEntry: 'aud',
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

/**
 * What lists and pages show, and whose it is: query keys begin with both. The name is the last segment of the route
 * that lists it.
 */
export const resources = {
  organisations: 'person',
  'my-invitations': 'person',
  mails: 'person',
  sessions: 'person',
  members: 'organisation',
  invitations: 'organisation',
  seats: 'organisation',
  roles: 'organisation',
  groups: 'organisation',
  audit: 'organisation',
  documents: 'organisation',
  models: 'organisation',
  providers: 'organisation',
  'provider-offers': 'organisation',
  conversations: 'organisation',
  messages: 'organisation',
  passages: 'organisation',
  search: 'organisation',
} as const;
export type Resource = keyof typeof resources;
