import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { UserId } from '@parley/protocol';
import { eraseMessage, messageEraseAt, messageErasingOf } from './erasing-jobs.ts';
import { messageRows, type MessageRow, type NewMessage } from './message.collection.ts';
import { withAllBelow, type Standing } from './message-tree.ts';
import { placedFields, type PlaceChange } from './standings.ts';

@Injectable()
export class MessagesRepository {
  private readonly rows: Rows<typeof messageRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(messageRows);
  }

  create(scope: OrganisationScope, rows: readonly NewMessage[], tx: Transaction): Promise<void> {
    return this.rows.within(scope, tx).later.insertMany(rows);
  }

  find(
    scope: OrganisationScope,
    { conversationId, id }: { conversationId: ConversationId; id: MessageId },
    tx?: Transaction,
  ): Promise<MessageRow | null> {
    return this.rows.within(scope, tx).findOne({ _id: id, conversationId });
  }

  /** Returns the places of the messages directly below this one; for null, of those at the start. */
  async childrenOf(
    scope: OrganisationScope,
    { conversationId, parentId }: { conversationId: ConversationId; parentId: MessageId | null },
    tx?: Transaction,
  ): Promise<Pick<Standing, 'place'>[]> {
    const rows = await this.rows.within(scope, tx).find({ conversationId, parentId }, { fields: ['place'] });
    return rows.flatMap(({ place }) => (place === undefined ? [] : { place }));
  }

  /** Lists a conversation's messages that are marked as deleted, last deleted first. */
  deletedIn(
    scope: OrganisationScope,
    { conversationId, since, limit }: { conversationId: ConversationId; since: Date; limit: number },
  ): Promise<MessageRow[]> {
    return this.rows
      .within(scope)
      .find({ conversationId, deletedAt: { $gt: since } }, { sort: { deletedAt: -1 }, limit });
  }

  /** Returns some of the messages below this one, with their text and search keys. */
  async someBelow(
    scope: PlatformScope,
    { conversationId, message, limit }: { conversationId: ConversationId; message: Standing; limit: number },
    tx: Transaction,
  ): Promise<Pick<NewMessage, '_id' | 'generationId' | 'text' | 'searchKeys' | 'deletedAt' | 'files'>[]> {
    const fields = ['generationId', 'text', 'searchKeys', 'deletedAt', 'files'] as const;
    const [inRun, inOthers] = withAllBelow(message);
    const rows = this.rows.within(scope, tx);
    const others = await rows.find({ conversationId, ...inOthers }, { limit, fields });
    if (others.length > 0) return others;
    const place = { ...inRun.place, $gt: message.place };
    return rows.find({ conversationId, place }, { limit, fields });
  }

  /** Returns those of the given ids that exist. */
  async existing(scope: OrganisationScope, ids: readonly MessageId[]): Promise<ReadonlySet<MessageId>> {
    const rows = await this.rows.within(scope).find({ _id: { $in: ids } }, { fields: ['role'] });
    return new Set(rows.map(({ _id }) => _id));
  }

  findMany(scope: OrganisationScope, conversationId: ConversationId, ids: readonly MessageId[]): Promise<MessageRow[]> {
    return this.rows.within(scope).find({ _id: { $in: ids }, conversationId });
  }

  /** Returns all messages of a conversation with the fields that decide their places, in order of creation. */
  toPlace(scope: OrganisationScope, conversationId: ConversationId, tx?: Transaction) {
    return this.rows.within(scope, tx).find({ conversationId }, { sort: { position: 1 }, fields: placedFields });
  }

  async place(scope: OrganisationScope, changes: readonly PlaceChange[], tx: Transaction): Promise<void> {
    await this.rows
      .within(scope, tx)
      .updateEach(changes.map(({ _id, ...change }) => ({ filter: { _id }, change: { $set: change } })));
  }

  /** Returns messages after this position, in order of creation. */
  pageAfter(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { after, limit }: { readonly after: number; readonly limit: number },
  ): Promise<MessageRow[]> {
    const where = { conversationId, position: { $gt: after } };
    return this.rows.within(scope).find(where, { sort: { position: 1 }, limit });
  }

  /** Returns the answers to one question, oldest first. */
  answersOf(
    scope: OrganisationScope,
    { _id: parentId, conversationId, position }: MessageRow,
    tx: Transaction,
  ): Promise<MessageRow[]> {
    const where = { conversationId, position: { $gt: position }, parentId, role: 'assistant' } as const;
    return this.rows.within(scope, tx).find(where, { sort: { position: 1 } });
  }

  /** Marks a message with everything below it as deleted or not deleted; null if it is already marked so. */
  async setDeleted(
    scope: OrganisationScope,
    { id, ...change }: { id: MessageId; deletedAt: Date | null; deletedBy: UserId | null; sequence: number },
    tx: Transaction,
  ): Promise<MessageRow | null> {
    const before = change.deletedAt ? { deletedAt: null } : { deletedAt: { $ne: null } };
    const row = await this.rows.within(scope, tx).change({ _id: id, ...before }, { $set: change });
    if (row) eraseLater(row, tx);
    return row;
  }

  /** Discards or restores a question; the search doesn't find discarded ones. */
  async setDiscarded(
    scope: OrganisationScope,
    {
      id,
      ...change
    }: Pick<MessageRow, 'isDiscarded' | 'deletedAt' | 'deletedBy' | 'sequence'> & {
      id: MessageId;
      searchKeys: string[];
    },
    tx: Transaction,
  ): Promise<MessageRow | null> {
    const row = await this.rows.within(scope, tx).change({ _id: id }, { $set: change });
    if (row) eraseLater(row, tx);
    return row;
  }

  /** Returns messages that changed after the sequence, oldest change first. */
  changedAfter(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { after, limit }: { after: number; limit: number },
  ): Promise<MessageRow[]> {
    return this.rows.within(scope).find({ conversationId, sequence: { $gt: after } }, { sort: { sequence: 1 }, limit });
  }

  /** Returns a page of the messages of all branches: before the position, or the newest; ascending by position. */
  async page(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<MessageRow[]> {
    const filter = before === undefined ? { conversationId } : { conversationId, position: { $lt: before } };
    const rows = await this.rows.within(scope).find(filter, { sort: { position: -1 }, limit });
    return rows.toReversed();
  }

  /** Stores the text of an ended answer, which the search finds from now on. */
  finishAnswer(
    scope: PlatformScope,
    {
      id,
      ...end
    }: { id: MessageId; text: string; sequence: number; searchKeys: string[] } & Pick<
      MessageRow,
      'isRefused' | 'lengthens'
    >,
    tx: Transaction,
  ): Promise<MessageRow | null> {
    return this.rows.within(scope, tx).change({ _id: id }, { $set: end });
  }

  /** Reads messages in the order of their ids, with the fields that decide their search keys. */
  afterId(scope: PlatformScope, { after, limit }: { after: MessageId | null; limit: number }, tx?: Transaction) {
    const fields = ['role', 'files', 'isDiscarded', 'searchKeys'] as const;
    const where = after === null ? {} : { _id: { $gt: after } };
    return this.rows.within(scope, tx).find(where, { sort: { _id: 1 }, limit, fields });
  }

  /** Adds a search key to these messages. */
  async addSearchKey(
    scope: PlatformScope,
    { ids, key }: { ids: readonly MessageId[]; key: string },
    tx: Transaction,
  ): Promise<void> {
    if (ids.length > 0)
      await this.rows.within(scope, tx).updateMany({ _id: { $in: ids } }, { $push: { searchKeys: key } });
  }

  /** Reads messages of any conversations. */
  findByIds(scope: OrganisationScope, ids: readonly MessageId[]): Promise<MessageRow[]> {
    return this.rows.within(scope).find({ _id: { $in: ids } });
  }

  /** Deletes the messages of a question outside of chats that is no longer kept. */
  async deleteAll(scope: PlatformScope, conversationId: ConversationId, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).deleteMany({ conversationId });
  }

  /** Returns some messages of a conversation, with their text and search keys. */
  someOf(
    scope: PlatformScope,
    { conversationId, limit }: { conversationId: ConversationId; limit: number },
    tx: Transaction,
  ): Promise<Pick<NewMessage, '_id' | 'generationId' | 'text' | 'searchKeys' | 'files'>[]> {
    const fields = ['generationId', 'text', 'searchKeys', 'files'] as const;
    return this.rows.within(scope, tx).find({ conversationId }, { sort: { position: 1 }, limit, fields });
  }

  async delete(scope: PlatformScope, ids: readonly MessageId[], tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).deleteMany({ _id: { $in: ids } });
  }

  async touch(
    scope: PlatformScope,
    { id, sequence }: { id: MessageId; sequence: number },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $set: { sequence } });
  }
}

/** Queues the erasure of a deleted message, and cancels that of a restored one. */
function eraseLater(row: MessageRow, tx: Transaction): void {
  const eraseAt = messageEraseAt(row);
  if (eraseAt) tx.queue(eraseMessage, messageErasingOf(row), { at: eraseAt });
  else tx.cancel(eraseMessage, row._id);
}
