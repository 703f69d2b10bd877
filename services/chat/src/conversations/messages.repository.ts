import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId } from '@parley/contracts';
import {
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type PlatformScope,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { messageRows, type MessageRow } from './message.collection.ts';

@Injectable()
export class MessagesRepository {
  private readonly rows: Rows<typeof messageRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(messageRows);
  }

  create(scope: OrganisationScope, rows: readonly MessageRow[], tx: Transaction): Promise<void> {
    return this.rows.within(scope, tx).insertMany(rows);
  }

  find(scope: OrganisationScope, conversationId: ConversationId, id: MessageId): Promise<MessageRow | null> {
    return this.rows.within(scope).findOne({ _id: id, conversationId });
  }

  /** Changed after the sequence, oldest change first. */
  changedAfter(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { after, limit }: { after: number; limit: number },
  ): Promise<MessageRow[]> {
    return this.rows.within(scope).find({ conversationId, sequence: { $gt: after } }, { sort: { sequence: 1 }, limit });
  }

  /** The page before the position, or the newest; ascending by position. */
  async page(
    scope: OrganisationScope,
    conversationId: ConversationId,
    { before, limit }: { before: number | undefined; limit: number },
  ): Promise<MessageRow[]> {
    const filter = before === undefined ? { conversationId } : { conversationId, position: { $lt: before } };
    const rows = await this.rows.within(scope).find(filter, { sort: { position: -1 }, limit });
    return rows.toReversed();
  }

  /** Those that hold every key, newest first. */
  search(scope: OrganisationScope, keys: readonly string[], query: PageQuery): Promise<Page<MessageRow>> {
    const where = { searchKeys: { $all: keys } };
    return this.rows.within(scope).page(query, { by: { createdAt: -1 }, where, to: (row) => row });
  }

  /** An answer has ended: from now on the search finds it. */
  async finishAnswer(
    scope: PlatformScope,
    { id, ...end }: { id: MessageId; text: string; sequence: number; searchKeys: string[] },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $set: end });
  }

  async touch(
    scope: PlatformScope,
    { id, sequence }: { id: MessageId; sequence: number },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $set: { sequence } });
  }
}
