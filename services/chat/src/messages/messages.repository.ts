import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type PlatformScope, type Transaction } from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { messageSchema, type MessageRow } from './message.schema.ts';

@Injectable()
export class MessagesRepository {
  private readonly messages: Model<MessageRow>;

  constructor(mongo: Mongo) {
    this.messages = mongo.model('Message', messageSchema);
  }

  async create(_scope: OrganisationScope, rows: readonly MessageRow[], tx: Transaction): Promise<void> {
    await this.messages.insertMany(rows, { session: tx.session, lean: true });
  }

  async find(
    scope: OrganisationScope,
    conversationId: ConversationId,
    id: MessageId,
    tx?: Transaction,
  ): Promise<MessageRow | null> {
    return this.messages
      .findOne({ _id: id, orgId: scope.orgId, conversationId })
      .session(tx?.session ?? null)
      .lean();
  }

  /** Changed after the sequence, oldest change first. */
  async changedAfter(
    scope: OrganisationScope,
    conversationId: ConversationId,
    page: { after: number; limit: number },
  ): Promise<MessageRow[]> {
    return this.messages
      .find({ conversationId, orgId: scope.orgId, sequence: { $gt: page.after } })
      .sort({ sequence: 1 })
      .limit(page.limit)
      .lean();
  }

  /** The page before the position, or the newest; ascending by position. */
  async page(
    scope: OrganisationScope,
    conversationId: ConversationId,
    page: { before: number | undefined; limit: number },
  ): Promise<MessageRow[]> {
    const filter =
      page.before === undefined
        ? { conversationId, orgId: scope.orgId }
        : { conversationId, orgId: scope.orgId, position: { $lt: page.before } };
    const rows = await this.messages.find(filter).sort({ position: -1 }).limit(page.limit).lean();
    return rows.reverse();
  }

  /** Holds every key, newest first. */
  async search(
    scope: OrganisationScope,
    keys: readonly string[],
    page: { before: { createdAt: Date; id: MessageId } | null; limit: number },
  ): Promise<MessageRow[]> {
    const filter = { orgId: scope.orgId, searchKeys: { $all: [...keys] } };
    const older = page.before && {
      $or: [
        { createdAt: { $lt: page.before.createdAt } },
        { createdAt: page.before.createdAt, _id: { $lt: page.before.id } },
      ],
    };
    return this.messages
      .find({ ...filter, ...older })
      .sort({ createdAt: -1, _id: -1 })
      .limit(page.limit)
      .lean();
  }

  /** An answer has ended: from now on the search finds it. */
  async finishAnswer(
    _scope: OrganisationScope | PlatformScope,
    id: MessageId,
    end: { text: string; sequence: number; searchKeys: string[] },
    tx: Transaction,
  ): Promise<void> {
    await this.messages.updateOne({ _id: id }, { $set: end }, { session: tx.session });
  }

  async touch(
    _scope: OrganisationScope | PlatformScope,
    id: MessageId,
    sequence: number,
    tx: Transaction,
  ): Promise<void> {
    await this.messages.updateOne({ _id: id }, { $set: { sequence } }, { session: tx.session });
  }
}
