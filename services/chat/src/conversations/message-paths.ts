import { Injectable } from '@nestjs/common';
import type { ConversationId, GenerationId, MessageId, MessageVersions } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { StoredConversation } from './conversation.collection.ts';
import { messageRows, type MessageRow } from './message.collection.ts';
import { depthOf, isInLine, isOnPath, rangesOfPath, withAllBelow, type Standing } from './message-tree.ts';

/** A message with its place in the tree of its conversation. */
export type Located = Standing & Pick<MessageRow, '_id' | 'parentId' | 'role' | 'generationId'>;
/** The fields of a path's message that a model's prompt needs. */
const pathFields = ['role', 'text', 'parentId', 'generationId', 'files'] as const;
export type PathRow = Pick<MessageRow, '_id' | (typeof pathFields)[number]>;

type VersionRow = Pick<MessageRow, '_id' | 'parentId' | 'position' | 'isRefused' | 'lengthens' | 'place' | 'forks'>;

const locatedFields = ['place', 'forks', 'parentId', 'role', 'generationId'] as const;
const positionedFields = [...locatedFields, 'position'] as const;
/** The most messages that one read looks at, newest first. */
const mostLookedAt = 100;

/** Reads a conversation along one path of its tree (ADR 0042). */
@Injectable()
export class MessagePaths {
  private readonly rows: Rows<typeof messageRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(messageRows);
  }

  /** Returns null for a message without a place in the tree or of another conversation; finds deleted ones, too. */
  async locate(
    scope: OrganisationScope,
    conversationId: ConversationId,
    id: MessageId,
    tx?: Transaction,
  ): Promise<Located | null> {
    const [row] = await this.rows
      .within(scope, tx)
      .find({ _id: id, conversationId }, { limit: 1, fields: locatedFields });
    return row ? located(row) : null;
  }

  /** Returns a one-path conversation's newest message; null if it has no place in the tree, as in older rows. */
  async endOfLine(scope: OrganisationScope, conversationId: ConversationId): Promise<Located | null> {
    const newest = { sort: { position: -1 }, limit: 1, fields: positionedFields } as const;
    const [row] = await this.rows.within(scope).find({ conversationId }, newest);
    return row && isInLine(row) ? located(row) : null;
  }

  /** Returns those messages of this conversation that have a place in the tree. */
  async locateAll(
    scope: OrganisationScope,
    { conversationId, ids }: { readonly conversationId: ConversationId; readonly ids: readonly MessageId[] },
    tx?: Transaction,
  ): Promise<Located[]> {
    const where = { _id: { $in: ids }, conversationId };
    return (await this.rows.within(scope, tx).find(where, { fields: locatedFields })).flatMap(
      (row) => located(row) ?? [],
    );
  }

  /** Returns those of the given messages that aren't deleted, nor below a deleted message. */
  async shown(
    scope: OrganisationScope,
    { _id: conversationId, deletions }: StoredConversation,
    ids: readonly MessageId[],
  ): Promise<MessageId[]> {
    const found = await this.locateAll(scope, { conversationId, ids });
    const deleted = deletions ? await this.deletedRoots(scope, conversationId) : [];
    return found.filter((message) => !isDeleted(message, deleted)).map(({ _id }) => _id);
  }

  /** Returns all messages of a conversation, including deleted ones, in order of creation. */
  async all(scope: OrganisationScope, conversationId: ConversationId): Promise<(Located & { position: number })[]> {
    return positioned(await this.rows.within(scope).find({ conversationId }, { fields: positionedFields }));
  }

  /** Counts a message with everything below it. */
  async count(scope: OrganisationScope, conversationId: ConversationId, message: Standing): Promise<number> {
    const count = (where: object) => this.rows.within(scope).count({ conversationId, ...where });
    const [own, others] = await Promise.all(withAllBelow(message).map(count));
    return own! + others!;
  }

  /** Returns the last messages of the path to `leaf`, or the last before a depth; ascending. */
  async page(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { leaf, before = depthOf(leaf.place) + 1, limit }: { leaf: Standing; before?: number | undefined; limit: number },
  ): Promise<MessageRow[]> {
    const ranges = rangesOfPath(leaf, before - limit, before - 1);
    if (ranges.length === 0) return [];
    const rows = await this.rows.within(scope).find({ conversationId, $or: ranges.map((place) => ({ place })) });
    return ascending(rows);
  }

  /** Returns the last messages of the path to `leaf` with the fields for a model; ascending. */
  async messages(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { leaf, limit }: { leaf: Standing; limit: number },
  ): Promise<PathRow[]> {
    const depth = depthOf(leaf.place);
    const $or = rangesOfPath(leaf, depth - limit + 1, depth).map((place) => ({ place }));
    const fields = [...pathFields, 'place'] as const;
    return ascending(await this.rows.within(scope).find({ conversationId, $or }, { fields }));
  }

  /**
   * Lists the messages below each of these parents that aren't deleted, oldest first. Leaves out answers that a later
   * one replaced, unless they are on the path to `leaf`.
   */
  async versions(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { parentIds, leaf }: { readonly parentIds: readonly (MessageId | null)[]; readonly leaf: Standing | null },
  ): Promise<MessageVersions[]> {
    const parents = [...new Set(parentIds)];
    if (parents.length === 0) return [];
    const fields = [
      'parentId',
      'position',
      'deletedAt',
      'isDiscarded',
      'isRefused',
      'lengthens',
      'place',
      'forks',
    ] as const;
    const $or = parents.map((parentId) => ({ parentId }));
    const found = await this.rows.within(scope).find({ conversationId, $or }, { fields });
    const shown = found.filter(({ deletedAt, isDiscarded }) => !deletedAt && !isDiscarded);
    const isRead = (row: VersionRow) => leaf !== null && isOnPath(standingOf(row) ?? nowhere, leaf);
    const replaced = await this.replaced(scope, conversationId, { rows: shown, isRead });
    const children = Map.groupBy(
      shown.filter(({ _id }) => !replaced.has(_id)).toSorted((one, other) => one.position - other.position),
      ({ parentId }) => parentId,
    );
    return parents.map((parentId) => ({ parentId, ids: (children.get(parentId) ?? []).map(({ _id }) => _id) }));
  }

  /**
   * Returns refused answers that were asked again, and answers that another one continues. They don't count as
   * versions, unless messages follow them.
   */
  private async replaced(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { rows, isRead }: { readonly rows: readonly VersionRow[]; readonly isRead: (row: VersionRow) => boolean },
  ): Promise<ReadonlySet<MessageId>> {
    const newest = new Map(
      rows.toSorted((one, other) => one.position - other.position).map(({ _id, parentId }) => [parentId, _id]),
    );
    const isAskedAgain = ({ _id, parentId, isRefused }: VersionRow) => isRefused && newest.get(parentId) !== _id;
    const lengthened = lengthenedBy(
      rows,
      rows.filter((row) => !isAskedAgain(row)),
    );
    const ids = rows
      .filter((row) => lengthened.has(row._id) || isAskedAgain(row))
      .filter((row) => !isRead(row))
      .map(({ _id }) => _id);
    if (ids.length === 0) return new Set();
    const where = { conversationId, parentId: { $in: ids } };
    const below = await this.rows.within(scope).find(where, { fields: ['parentId'] });
    const goesOn = new Set(below.map(({ parentId }) => parentId));
    return new Set(ids.filter((id) => !goesOn.has(id)));
  }

  /** Returns the generations of messages directly below these parents, including deleted ones. */
  async generationsUnder(
    scope: OrganisationScope,
    conversationId: ConversationId,
    parentIds: readonly (MessageId | null)[],
  ): Promise<GenerationId[]> {
    const where = { conversationId, parentId: { $in: parentIds } };
    const rows = await this.rows.within(scope).find(where, { fields: ['generationId'] });
    return rows.flatMap(({ generationId }) => generationId ?? []);
  }

  /**
   * Returns the message that a question without a `parentId` follows: the answer to the newest question (`lastAnswer`),
   * or that question if it has no answer. Null in an empty conversation.
   */
  async lineEnd(
    scope: OrganisationScope,
    conversation: StoredConversation,
    tx: Transaction,
  ): Promise<MessageId | null> {
    const { questionId, answerIds } = await this.newestExchange(scope, conversation, tx);
    return answerIds.length > 0 ? this.lastOf(scope, answerIds, tx) : questionId;
  }

  /** Returns the newest question's newest answer with text, else its newest answer, else null. */
  async lastAnswer(scope: OrganisationScope, conversation: StoredConversation, tx: Transaction) {
    const { answerIds } = await this.newestExchange(scope, conversation, tx);
    return this.lastOf(scope, answerIds, tx);
  }

  private async lastOf(
    scope: OrganisationScope,
    ids: readonly MessageId[],
    tx: Transaction,
  ): Promise<MessageId | null> {
    if (ids.length < 2) return ids[0] ?? null;
    const texts = await this.rows.within(scope, tx).find({ _id: { $in: ids } }, { fields: ['text'] });
    const said = new Set(texts.filter(({ text }) => text !== '').map(({ _id }) => _id));
    return ids.find((id) => said.has(id)) ?? ids[0] ?? null;
  }

  /** Returns the newest question with all of its answers, newest first. */
  private async newestExchange(
    scope: OrganisationScope,
    { _id: conversationId, deletions }: StoredConversation,
    tx: Transaction,
  ): Promise<{ readonly questionId: MessageId | null; readonly answerIds: readonly MessageId[] }> {
    const options = { sort: { position: -1 }, limit: mostLookedAt, fields: [...locatedFields, 'isDiscarded'] } as const;
    const rows = await this.rows.within(scope, tx).find({ conversationId }, options);
    const deleted = deletions ? await this.deletedRoots(scope, conversationId, tx) : [];
    const isShown = (row: (typeof rows)[number]) => !row.isDiscarded && !isDeleted(row, deleted);
    const question = rows.find((row) => row.role === 'person' && isShown(row));
    const isAnswer = (row: (typeof rows)[number]) => row.role === 'assistant' && row.parentId === question?._id;
    const answerIds = rows.filter((row) => isAnswer(row) && isShown(row)).map(({ _id }) => _id);
    return { questionId: question?._id ?? null, answerIds };
  }

  /** Returns the messages that were themselves deleted; everything below them is deleted with them. */
  async deletedRoots(scope: OrganisationScope, conversationId: ConversationId, tx?: Transaction): Promise<Located[]> {
    const where = { conversationId, deletedAt: { $gt: new Date(0) } };
    return (await this.rows.within(scope, tx).find(where, { fields: locatedFields })).flatMap(
      (row) => located(row) ?? [],
    );
  }

  /**
   * Returns the newest message below `message`, or of the conversation (null), that isn't below a deleted one; null if
   * there is none.
   */
  async newestBehind(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { message, deleted }: { message: Standing | null; deleted: readonly Standing[] },
  ): Promise<Located | null> {
    const isIt = (row: Located) => !isDeleted(row, deleted) && (!message || isOnPath(message, row));
    for (let before = Number.MAX_SAFE_INTEGER; before > 1;) {
      const options = { sort: { position: -1 }, limit: mostLookedAt, fields: positionedFields } as const;
      const rows = await this.rows.within(scope).find({ conversationId, position: { $lt: before } }, options);
      const found = rows.flatMap((row) => located(row) ?? []).find(isIt);
      if (found) return found;
      before = rows.length < mostLookedAt ? 0 : (rows.at(-1)?.position ?? 0);
      // Read only the branch below `message`, even in a long conversation, because the wanted messages are on that old
      // branch.
      if (message) return before === 0 ? null : this.newestOf(await this.below(scope, conversationId, message), isIt);
    }
    return null;
  }

  private newestOf(rows: readonly (Located & { position: number })[], isIt: (row: Located) => boolean): Located | null {
    return rows.toSorted((one, other) => other.position - one.position).find(isIt) ?? null;
  }

  /** Returns a message with everything below it, in order of creation. */
  private async below(scope: OrganisationScope, conversationId: ConversationId, message: Standing) {
    const find = (where: object) =>
      this.rows.within(scope).find({ conversationId, ...where }, { fields: positionedFields });
    return positioned((await Promise.all(withAllBelow(message).map(find))).flat());
  }
}

const positioned = (rows: readonly (Partial<Located> & Pick<MessageRow, '_id' | 'position'>)[]) =>
  rows.flatMap((row) => {
    const message = located(row as Parameters<typeof located>[0]);
    return message ? [{ ...message, position: row.position }] : [];
  });

/** Collects the answers that these answers continue, directly or through others. */
function lengthenedBy(all: readonly VersionRow[], some: readonly VersionRow[]): ReadonlySet<MessageId> {
  const from = new Map(all.map(({ _id, lengthens }) => [_id, lengthens]));
  const found = new Set<MessageId>();
  for (const { lengthens } of some) for (let id = lengthens; id && !found.has(id); id = from.get(id)) found.add(id);
  return found;
}

const nowhere: Standing = { place: 0, forks: [] };

/** Returns whether a message is one of these roots or below one; false without a place. */
export function isDeleted(message: Partial<Standing>, roots: readonly Standing[]): boolean {
  const standing = standingOf(message);
  return standing !== null && roots.some((root) => isOnPath(root, standing));
}

/** Returns the place and forks of a row; null if it has no place in the tree yet. */
export const standingOf = ({ place, forks }: Partial<Standing>): Standing | null =>
  place === undefined ? null : { place, forks: forks ?? [] };

const located = ({ place, forks, ...row }: Omit<Located, keyof Standing> & Partial<Standing>): Located | null =>
  place === undefined ? null : { ...row, place, forks: forks ?? [] };

const ascending = <Row extends { readonly place?: number | undefined }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => depthOf(one.place ?? 0) - depthOf(other.place ?? 0));
