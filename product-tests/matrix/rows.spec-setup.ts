import type { ChunkId, ConversationId, DocumentId, Message, Provider } from '@parley/contracts';
import type { ParleyClient } from '@parley/testing/client';
import type { RunningParley } from '@parley/embedded';
import type { ResponseOf, RouteContract, UserId } from '@parley/protocol';

/** What the matrix acts on: things of organisation A, made by its owner. */
export type World = {
  readonly owner: ParleyClient;
  readonly parley: RunningParley;
  /** Somebody of the organisation with the role `member`, whom rows change. */
  readonly memberId: UserId;
  readonly conversationId: ConversationId;
  readonly messages: readonly Message[];
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  readonly provider: Provider;
};
export type RowRequest = {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: Record<string, unknown> | string | Uint8Array<ArrayBuffer>;
};
/** Whose the things are that a route names or lists: the whole organisation's, or those of one person in it. */
type Whose = 'organisation' | 'owner';
type Lists = {
  /** Ids that the owner finds in the answer; nobody outside does, and of what is the owner's own no colleague either. */
  readonly ids: (world: World) => readonly string[];
  readonly whose: Whose;
};
export type Row = {
  /** A request that must succeed for the owner of organisation A; fresh ids each time. */
  request(world: World): RowRequest | Promise<RowRequest>;
  /** The request cannot succeed on a test machine; this is what it answers there. */
  readonly refused?: number;
  /** What the very same request answers the second time; as the first time unless said. */
  readonly repeated?: number;
  /** It ends or replaces the caller's session, so the matrix calls it with a session of its own. */
  readonly endsSession?: true;
  /**
   * The request names things of organisation A by id: they are 404 to everybody outside, inside any organisation, and
   * what is the owner's own also to a colleague who may do everything.
   */
  readonly things?: Whose;
  /** The status for those callers instead of 404, for a route that doesn't reveal whether a thing exists. */
  readonly ofUnknown?: number;
  /** Null where an answer with items shows nothing on a test machine. */
  readonly lists?: Lists | null;
};

/** Whose things are named or listed has to be said wherever there may be some. */
type RowFor<Route> = Row &
  (Route extends { readonly params: unknown } ? { readonly things: Whose } : unknown) &
  (ResponseOf<Route> extends { readonly items: unknown } ? { readonly lists: Lists | null } : unknown);
type Outside<Routes> = {
  [Name in keyof Routes as Routes[Name] extends { readonly scope: 'internal' } ? never : Name]: RowFor<Routes[Name]>;
};

/** The rows of one feature; a route without a row does not compile, nor one that leaves out whose things it shows. */
export function rowsFor<Routes extends Record<string, RouteContract>>(
  _routes: Routes,
  rows: Outside<Routes>,
): Outside<Routes> {
  return rows;
}

/** Needs nothing. */
export const plain = { request: () => ({}) } satisfies Row;
