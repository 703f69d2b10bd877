import { Injectable } from '@nestjs/common';
import { Problem, type ConversationId, type UserId } from '@parley/contracts';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Transaction,
} from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { conversationSchema, type ConversationRow } from './conversation.schema.ts';
import type { RunningAnswer, StoredConversation } from './conversation.ts';

/** Where a list goes on: the last item's sort key. */
export type ListPosition = { readonly lastActivityAt: Date; readonly id: ConversationId };

@Injectable()
export class ConversationsRepository {
  private readonly conversations: Model<ConversationRow>;

  constructor(mongo: Mongo) {
    this.conversations = mongo.model('Conversation', conversationSchema);
  }

  /** The owner's conversation, deleted ones only on demand. */
  async find(
    scope: OrganisationScope,
    owner: UserId,
    id: ConversationId,
    options: { withDeleted?: boolean; tx?: Transaction } = {},
  ): Promise<StoredConversation | null> {
    const row = await this.conversations
      .findOne({ _id: id, orgId: scope.orgId, ownerId: owner })
      .session(options.tx?.session ?? null)
      .lean();
    return row && (options.withDeleted || !row.isDeleted) ? row : null;
  }

  async findMany(
    scope: OrganisationScope,
    owner: UserId,
    ids: readonly ConversationId[],
  ): Promise<StoredConversation[]> {
    return this.conversations
      .find({ _id: { $in: [...ids] }, orgId: scope.orgId, ownerId: owner, isDeleted: false })
      .lean();
  }

  /** Newest activity first. */
  async list(
    scope: OrganisationScope,
    owner: UserId,
    page: { after: ListPosition | null; limit: number },
  ): Promise<StoredConversation[]> {
    const mine = { orgId: scope.orgId, ownerId: owner, isDeleted: false };
    const sort = { lastActivityAt: -1, _id: -1 } as const;
    if (!page.after) return this.conversations.find(mine).sort(sort).limit(page.limit).lean();
    const { lastActivityAt, id } = page.after;
    const sameMoment = await this.conversations
      .find({ ...mine, lastActivityAt, _id: { $lt: id } })
      .sort(sort)
      .limit(page.limit)
      .lean();
    if (sameMoment.length === page.limit) return sameMoment;
    const older = await this.conversations
      .find({ ...mine, lastActivityAt: { $lt: lastActivityAt } })
      .sort(sort)
      .limit(page.limit - sameMoment.length)
      .lean();
    return [...sameMoment, ...older];
  }

  /** An id that somebody else has is `chat.conversation-not-found`, as if it were unknown. */
  async create(_scope: OrganisationScope, conversation: StoredConversation, tx: Transaction): Promise<void> {
    try {
      await this.conversations.create([conversation], { session: tx.session });
    } catch (error) {
      if (isDuplicateKey(error)) throw new Problem('chat.conversation-not-found', {}, { cause: error });
      throw error;
    }
  }

  /**
   * Takes the next sequences and positions and marks the generation as running; null while another one runs, or when
   * there is no such conversation.
   */
  async beginAnswer(
    scope: OrganisationScope,
    owner: UserId,
    begin: { id: ConversationId; sequences: number; positions: number; running: RunningAnswer; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const change = {
      $inc: { sequence: begin.sequences, lastPosition: begin.positions },
      $set: { running: begin.running, lastActivityAt: begin.now },
    };
    return this.conversations
      .findOneAndUpdate(
        { _id: begin.id, orgId: scope.orgId, ownerId: owner, running: null, isDeleted: false },
        change,
        { returnDocument: 'after', session: tx.session },
      )
      .lean();
  }

  /** Takes one sequence for a change of the running generation; with `isFinal` nothing runs any more. */
  async recordGeneration(
    _scope: OrganisationScope | PlatformScope,
    id: ConversationId,
    change: { isFinal: boolean; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const set = change.isFinal ? { running: null, lastActivityAt: change.now } : { lastActivityAt: change.now };
    return this.conversations
      .findOneAndUpdate(
        { _id: id },
        { $inc: { sequence: 1 }, $set: set },
        { returnDocument: 'after', session: tx.session },
      )
      .lean();
  }

  /** Null when the version is not the current one any more. */
  async rename(
    scope: OrganisationScope,
    owner: UserId,
    change: { id: ConversationId; version: number; title: string },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const filter = { _id: change.id, orgId: scope.orgId, ownerId: owner, version: change.version, isDeleted: false };
    return this.conversations
      .findOneAndUpdate(
        filter,
        { $set: { title: change.title }, $inc: { version: 1, sequence: 1 } },
        { returnDocument: 'after', session: tx.session },
      )
      .lean();
  }

  /** Null when it is in that state already or is not the owner's. */
  async setDeleted(
    scope: OrganisationScope,
    owner: UserId,
    change: { id: ConversationId; isDeleted: boolean; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const filter = { _id: change.id, orgId: scope.orgId, ownerId: owner, isDeleted: !change.isDeleted };
    const update = {
      $set: { isDeleted: change.isDeleted, deletedAt: change.isDeleted ? change.now : null },
      $inc: { version: 1, sequence: 1 },
    };
    return this.conversations.findOneAndUpdate(filter, update, { returnDocument: 'after', session: tx.session }).lean();
  }
}
