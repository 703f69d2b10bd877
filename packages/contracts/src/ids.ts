import { z } from 'zod';

/** A prefixed ULID such as `org_01J…`: sorts by creation time; creates carry an id that the client made. */
const prefixedUlid = (prefix: string) =>
  z.string().regex(new RegExp(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`), `must be a ${prefix}_ id`);

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

export const userId = prefixedUlid('usr').brand<'UserId'>();
export const orgId = prefixedUlid('org').brand<'OrgId'>();
export const conversationId = prefixedUlid('cnv').brand<'ConversationId'>();
export const messageId = prefixedUlid('msg').brand<'MessageId'>();
export const generationId = prefixedUlid('gen').brand<'GenerationId'>();
export const providerId = prefixedUlid('prv').brand<'ProviderId'>();
export const documentId = prefixedUlid('doc').brand<'DocumentId'>();
export const chunkId = prefixedUlid('chk').brand<'ChunkId'>();
export const eventId = prefixedUlid('evt').brand<'EventId'>();
export const ledgerEntryId = prefixedUlid('led').brand<'LedgerEntryId'>();

export type UserId = z.infer<typeof userId>;
export type OrgId = z.infer<typeof orgId>;
export type ConversationId = z.infer<typeof conversationId>;
export type MessageId = z.infer<typeof messageId>;
export type GenerationId = z.infer<typeof generationId>;
export type ProviderId = z.infer<typeof providerId>;
export type DocumentId = z.infer<typeof documentId>;
export type ChunkId = z.infer<typeof chunkId>;
export type EventId = z.infer<typeof eventId>;
export type LedgerEntryId = z.infer<typeof ledgerEntryId>;

/** The branded id type of each kind, for id factories. */
export type IdOf = {
  user: UserId;
  organisation: OrgId;
  conversation: ConversationId;
  message: MessageId;
  generation: GenerationId;
  provider: ProviderId;
  document: DocumentId;
  chunk: ChunkId;
  event: EventId;
  ledgerEntry: LedgerEntryId;
};
