import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, ProjectId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { draftRows } from './draft.collection.ts';
import { eraseChat, erasingOf } from './erasing-jobs.ts';
import { askWhenReady } from './queue-jobs.ts';
import { readingPlaceRows } from './reading-place.collection.ts';
import { conversationRows, type RunningAnswer, type StoredConversation } from './conversation.collection.ts';

/** A filter for the conversations that a person can see. */
export type Visible = Pick<StoredConversation, 'ownerId'>;

type Begin = {
  readonly id: ConversationId;
  readonly sequences: number;
  readonly positions: number;
  readonly running: RunningAnswer;
  readonly now: Date;
};

type EndedAnswer = Pick<StoredConversation, 'chatbotId' | 'lastAnswerId' | 'isQueueHeld'>;

@Injectable()
export class ConversationsRepository {
  private readonly rows: Rows<typeof conversationRows>;
  private readonly places: Rows<typeof readingPlaceRows>;
  private readonly drafts: Rows<typeof draftRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(conversationRows);
    this.places = mongo.rows(readingPlaceRows);
    this.drafts = mongo.rows(draftRows);
  }

  /** Returns anyone's conversation, without a check: `ConversationAccess` decides who gets it. */
  find(scope: OrganisationScope, id: ConversationId, tx?: Transaction): Promise<StoredConversation | null> {
    return this.rows.within(scope, tx).findById(id);
  }

  findMany(
    scope: OrganisationScope,
    visible: Visible,
    ids: readonly ConversationId[],
  ): Promise<Pick<StoredConversation, '_id' | 'title' | 'deletions' | 'projectId'>[]> {
    const filter = { _id: { $in: ids }, ...visible, isDeleted: false };
    return this.rows.within(scope).find(filter, { fields: ['title', 'deletions', 'projectId'] });
  }

  /** Throws `chat.conversation-not-found` if the id is someone else's, as for an unknown one. */
  async create(scope: OrganisationScope, conversation: StoredConversation, tx: Transaction): Promise<void> {
    try {
      await this.rows.within(scope, tx).insert(conversation);
    } catch (error) {
      if (isDuplicateKey(error)) throw new Problem('chat.conversation-not-found', {}, { cause: error });
      throw error;
    }
    if (conversation.eraseAt) tx.queue(eraseChat, erasingOf(conversation), { at: conversation.eraseAt });
  }

  /** Takes the next sequences and positions, and marks the answer as running; null while another answer runs. */
  beginAnswer(
    scope: OrganisationScope,
    { visible, begin }: { visible: Visible; begin: Begin },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const { id, sequences, positions, running, now } = begin;
    return this.rows
      .within(scope, tx)
      .change(idle(id, visible), {
        $inc: { sequence: sequences, lastPosition: positions },
        $set: { running, lastActivityAt: now, isArchived: null },
      });
  }

  /** Completes a copy, which its owner can see from now on. */
  async finishCopy(
    scope: OrganisationScope,
    {
      id,
      ...change
    }: Pick<StoredConversation, 'lastAnswerId' | 'lastActivityAt'> & { id: ConversationId; projectId?: ProjectId },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const shown = { isCopying: false, isDeleted: false, deletedAt: null, erasure: null, eraseAt: null };
    const hidden = { _id: id, isCopying: true, erasure: 'waiting' } as const;
    const row = await this.rows.within(scope, tx).change(hidden, { $set: { ...shown, ...change } });
    if (row) tx.cancel(eraseChat, id);
    return row;
  }

  /** Stores the number of the newest run (a chain of messages without a fork), and the number of deleted messages. */
  async setPlaced(
    scope: OrganisationScope,
    { id, ...change }: { id: ConversationId; lastRun: number; deletions?: number },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $set: change });
  }

  /** Takes a sequence for a change of the running answer. With `ended`, no answer runs any more. */
  async recordAnswer(
    scope: PlatformScope,
    { id, ended, now }: { id: ConversationId; ended: EndedAnswer | null; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const change = { lastActivityAt: now, ...(ended && { ...ended, running: null }) };
    const counted = { sequence: 1, ...(ended && { answersEnded: 1 }) };
    const row = await this.rows.within(scope, tx).change({ _id: id }, { $inc: counted, $set: change });
    if (row) askWhenReady(tx, row);
    return row;
  }

  /** Takes a sequence for a question that is discarded or restored; null while an answer runs. */
  recordMessage(
    scope: OrganisationScope,
    { visible, id, deletions }: { visible: Visible; id: ConversationId; deletions: number },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    return this.rows.within(scope, tx).change(idle(id, visible), { $inc: { sequence: 1, deletions } });
  }

  /** Takes a sequence for a message that is deleted or restored; null for an unknown conversation. */
  changeDeletions(
    scope: OrganisationScope,
    { visible, id, by }: { visible: Visible; id: ConversationId; by: 1 | -1 },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    return this.rows
      .within(scope, tx)
      .change({ _id: id, isDeleted: false, ...visible }, { $inc: { sequence: 1, deletions: by } });
  }

  /** Subtracts erased messages from the number of deleted ones. */
  async forgetDeletions(
    scope: PlatformScope,
    { id, count }: { id: ConversationId; count: number },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $inc: { deletions: -count } });
  }

  /** Stores how many ended answers the owner has seen; never fewer than before. */
  async see(
    scope: OrganisationScope,
    { visible, id, answersSeen }: { visible: Visible; id: ConversationId; answersSeen: number },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id, ...visible }, { $max: { answersSeen } });
  }

  /** Sets the answer after which a question without a named parent continues. */
  async setLastAnswer(
    scope: OrganisationScope,
    { id, lastAnswerId }: { id: ConversationId; lastAnswerId: MessageId | null },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $set: { lastAnswerId } });
  }

  /** Notes that a model was asked for the conversation's title, which happens only once. */
  async askForTitle(scope: PlatformScope, id: ConversationId, tx: Transaction): Promise<void> {
    const change = { $set: { titling: 'asked' } } as const;
    await this.rows.within(scope, tx).later.updateEach([{ filter: { _id: id, titling: 'open' }, change }]);
  }

  /** Sets the title that came with the first answer, in the transaction that has just read the conversation. */
  async nameAtOnce(
    scope: OrganisationScope,
    { conversation, title }: { conversation: StoredConversation; title: string },
    tx: Transaction,
  ): Promise<StoredConversation> {
    const change = { $set: { title, titling: null, sequence: conversation.sequence + 1 } };
    await this.rows.within(scope, tx).later.updateEach([{ filter: { _id: conversation._id }, change }]);
    return { ...conversation, ...change.$set };
  }

  /**
   * Stores a title that a model wrote. Returns null if a person typed one meanwhile. Keeps the version, so that a
   * rename under way meets no conflict, and the sequence, because no event of the conversation reports the title.
   */
  writeTitle(
    scope: OrganisationScope,
    { id, title }: { id: ConversationId; title: string },
  ): Promise<StoredConversation | null> {
    return this.rows
      .within(scope)
      .change({ _id: id, titling: 'asked', isDeleted: false }, { $set: { title, titling: null } });
  }

  /** Returns null if the given version isn't the current one. */
  rename(
    scope: OrganisationScope,
    { visible, id, version, title }: { visible: Visible; id: ConversationId; version: number; title: string },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    return this.rows
      .within(scope, tx)
      .change(
        { _id: id, ...visible, version, isDeleted: false },
        { $set: { title, titling: null }, $inc: { version: 1, sequence: 1 } },
      );
  }

  /** Hides a conversation and sets when it is erased; null if it is deleted already or can't be seen. */
  async delete(
    scope: OrganisationScope,
    { visible, id, now, eraseAt }: { visible: Visible; id: ConversationId; now: Date; eraseAt: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const set = { isDeleted: true, deletedAt: now, erasure: 'waiting', eraseAt } as const;
    const row = await this.rows
      .within(scope, tx)
      .change({ _id: id, ...visible, isDeleted: false }, { $set: set, $inc: { version: 1, sequence: 1 } });
    if (row) tx.queue(eraseChat, erasingOf(row), { at: eraseAt });
    return row;
  }

  /** Restores a deleted conversation. Returns null if it isn't deleted, can't be seen, or its erasure has begun. */
  async restore(
    scope: OrganisationScope,
    { visible, id }: { visible: Visible; id: ConversationId },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const set = { isDeleted: false, deletedAt: null, erasure: null, eraseAt: null };
    const row = await this.rows
      .within(scope, tx)
      .change({ _id: id, ...visible, ...restorable }, { $set: set, $inc: { version: 1, sequence: 1 } });
    if (!row) return null;
    tx.cancel(eraseChat, id);
    askWhenReady(tx, row);
    return row;
  }

  /**
   * Begins to erase a deleted conversation, which can't be restored any more; null if it isn't deleted, or the erasure
   * has begun.
   */
  async beginErasing(
    scope: OrganisationScope,
    { visible, id }: { visible: Visible; id: ConversationId },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const row = await this.rows.within(scope, tx).change({ _id: id, ...visible, ...restorable }, beginning);
    if (row) tx.queue(eraseChat, erasingOf(row));
    return row;
  }

  /** Sets the missing date of a conversation that an earlier version deleted. */
  async dateDeletion(
    scope: OrganisationScope,
    { id, eraseAt }: { id: ConversationId; eraseAt: Date },
    tx: Transaction,
  ): Promise<void> {
    const $set = { erasure: 'waiting', eraseAt } as const;
    await this.rows.within(scope, tx).update({ _id: id, isDeleted: true, erasure: null }, { $set });
  }

  /** Begins to erase a conversation that is due; null if it was restored, or has more time now. */
  beginErasingDue(
    scope: OrganisationScope,
    { id, now }: { id: ConversationId; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const due = { _id: id, isDeleted: true, erasure: 'waiting', eraseAt: { $lte: now } } as const;
    return this.rows.within(scope, tx).change(due, beginning);
  }

  /** Returns conversations of all people in the order of their ids. */
  after(scope: PlatformScope, last: ConversationId | null, limit: number) {
    const fields = ['orgId', 'ownerId', 'running', 'lastAnswerId', 'lastRun', 'deletions'] as const;
    return this.rows.within(scope).find(last ? { _id: { $gt: last } } : {}, { sort: { _id: 1 }, limit, fields });
  }

  /** Erases the drafts and reading positions of a conversation. Keeps its row, so that its id isn't used again. */
  async finishErasing(scope: PlatformScope, id: ConversationId, tx: Transaction): Promise<void> {
    const done = { erasure: 'done', lastAnswerId: null } as const;
    await this.rows.within(scope, tx).update({ _id: id, erasure: 'begun' }, { $set: done });
    await this.places.within(scope, tx).deleteMany({ conversationId: id });
    await this.drafts.within(scope, tx).deleteMany({ conversationId: id });
  }
}

/** Finds conversations that are deleted and not being erased yet. */
const restorable = { isDeleted: true, isCopying: { $ne: true }, erasure: { $in: [null, 'waiting'] } } as const;
/** Erase the title, too: a person may have written it. */
const beginning = { $set: { erasure: 'begun', title: '' }, $inc: { version: 1, sequence: 1 } } as const;
/** Finds the conversation only without a running answer. */
const idle = (id: ConversationId, visible: Visible) => ({ _id: id, ...visible, running: null, isDeleted: false });
