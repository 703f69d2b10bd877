import { Injectable } from '@nestjs/common';
import { Problem, type ConversationId } from '@parley/contracts';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type PlatformScope,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import type { Visible } from './access.ts';
import { conversationRows, type RunningAnswer, type StoredConversation } from './conversation.collection.ts';

type Begin = {
  readonly id: ConversationId;
  readonly sequences: number;
  readonly positions: number;
  readonly running: RunningAnswer;
  readonly now: Date;
};

@Injectable()
export class ConversationsRepository {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(conversationRows);
  }

  /** Anybody's: `ConversationAccess` decides who gets it. */
  find(scope: OrganisationScope, id: ConversationId, tx?: Transaction): Promise<StoredConversation | null> {
    return this.rows.within(scope, tx).findById(id);
  }

  findMany(
    scope: OrganisationScope,
    visible: Visible,
    ids: readonly ConversationId[],
  ): Promise<Pick<StoredConversation, '_id' | 'title'>[]> {
    const filter = { _id: { $in: ids }, ...visible, isDeleted: false };
    return this.rows.within(scope).find(filter, { fields: ['title'] });
  }

  /** Newest activity first. */
  list<Item>(
    scope: OrganisationScope,
    { query, visible, to }: { query: PageQuery; visible: Visible; to: (row: StoredConversation) => Item },
  ): Promise<Page<Item>> {
    const where = { ...visible, isDeleted: false };
    return this.rows.within(scope).page(query, { by: { lastActivityAt: -1 }, where, to });
  }

  /** An id that somebody else has is `chat.conversation-not-found`, as if it were unknown. */
  async create(scope: OrganisationScope, conversation: StoredConversation, tx: Transaction): Promise<void> {
    try {
      await this.rows.within(scope, tx).insert(conversation);
    } catch (error) {
      if (isDuplicateKey(error)) throw new Problem('chat.conversation-not-found', {}, { cause: error });
      throw error;
    }
  }

  /**
   * Takes the next sequences and positions and marks the generation as running; null while another one runs, or when
   * there is no such conversation.
   */
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
        $set: { running, lastActivityAt: now },
      });
  }

  /** Takes one sequence for a change of the running answer; with `ended` nothing runs any more. */
  recordAnswer(
    scope: PlatformScope,
    { id, ended, now }: { id: ConversationId; ended: RunningAnswer['answerId'] | null; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const change = { lastActivityAt: now, ...(ended && { running: null, lastAnswerId: ended }) };
    return this.rows.within(scope, tx).change({ _id: id }, { $inc: { sequence: 1 }, $set: change });
  }

  /** Takes one sequence for a change of a message; null while an answer runs, or when there is no such conversation. */
  recordMessage(
    scope: OrganisationScope,
    { visible, id }: { visible: Visible; id: ConversationId },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    return this.rows.within(scope, tx).change(idle(id, visible), { $inc: { sequence: 1 } });
  }

  /** Null when the version is not the current one any more. */
  rename(
    scope: OrganisationScope,
    { visible, id, version, title }: { visible: Visible; id: ConversationId; version: number; title: string },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    return this.rows
      .within(scope, tx)
      .change(
        { _id: id, ...visible, version, isDeleted: false },
        { $set: { title }, $inc: { version: 1, sequence: 1 } },
      );
  }

  /** Hides it, and says when it is to be erased; null when it is deleted already or is not to be seen. */
  delete(
    scope: OrganisationScope,
    { visible, id, now, eraseAt }: { visible: Visible; id: ConversationId; now: Date; eraseAt: Date },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const set = { isDeleted: true, deletedAt: now, erasure: 'waiting', eraseAt } as const;
    return this.rows
      .within(scope, tx)
      .change({ _id: id, ...visible, isDeleted: false }, { $set: set, $inc: { version: 1, sequence: 1 } });
  }

  /** Null when it is not deleted, is not to be seen, or when its erasing has begun. */
  restore(
    scope: OrganisationScope,
    { visible, id }: { visible: Visible; id: ConversationId },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    const set = { isDeleted: false, deletedAt: null, erasure: null, eraseAt: null };
    return this.rows
      .within(scope, tx)
      .change({ _id: id, ...visible, ...restorable }, { $set: set, $inc: { version: 1, sequence: 1 } });
  }

  /** Those that can be restored, last deleted first. What an earlier version deleted is among them once it has a date. */
  listDeleted<Item>(
    scope: OrganisationScope,
    { query, visible, to }: { query: PageQuery; visible: Visible; to: (row: StoredConversation) => Item },
  ): Promise<Page<Item>> {
    const where = { ...visible, isDeleted: true, erasure: 'waiting' } as const;
    return this.rows.within(scope).page(query, { by: { deletedAt: -1 }, where, to });
  }

  /** From now on nobody restores it; null when it is not deleted, is not to be seen, or when that has begun. */
  beginErasing(
    scope: OrganisationScope,
    { visible, id }: { visible: Visible; id: ConversationId },
    tx: Transaction,
  ): Promise<StoredConversation | null> {
    return this.rows.within(scope, tx).change({ _id: id, ...visible, ...restorable }, beginning);
  }

  /** Gives those a date that an earlier version has deleted, which had none. */
  dateDeletions(scope: PlatformScope, eraseAt: Date): Promise<void> {
    const dated = { $set: { erasure: 'waiting', eraseAt } } as const;
    return this.rows.within(scope).updateInBatches({ isDeleted: true, erasure: null }, dated);
  }

  /** Begins to erase one whose time has come; null where there is none. */
  beginErasingDue(scope: PlatformScope, now: Date, tx: Transaction): Promise<StoredConversation | null> {
    const due = { isDeleted: true, erasure: 'waiting', eraseAt: { $lte: now } } as const;
    return this.rows.within(scope, tx).change(due, beginning, { sort: { eraseAt: 1 } });
  }

  /** Those that were deleted longest ago of all that are being erased, once nothing is written in them any more. */
  listErasing(scope: PlatformScope, limit: number): Promise<StoredConversation[]> {
    return this.rows.within(scope).find(beingErased, { sort: { eraseAt: 1 }, limit });
  }

  /** As `listErasing`, the first one of the person behind that one's; without one of the first person. */
  async nextErasing(scope: PlatformScope, last: StoredConversation | null): Promise<StoredConversation | null> {
    const rows = this.rows.within(scope);
    const options = { sort: { orgId: 1, ownerId: 1 }, limit: 1 } as const;
    if (!last) return (await rows.find(beingErased, options))[0] ?? null;
    const { orgId, ownerId } = last;
    const [colleague] = await rows.find({ ...beingErased, orgId, ownerId: { $gt: ownerId } }, options);
    return colleague ?? (await rows.find({ ...beingErased, orgId: { $gt: orgId } }, options))[0] ?? null;
  }

  /** What stays says whose it was, so that its id is not used again and what it used can be told again. */
  async finishErasing(scope: PlatformScope, id: ConversationId, tx: Transaction): Promise<void> {
    const done = { erasure: 'done', lastAnswerId: null } as const;
    await this.rows.within(scope, tx).update({ _id: id, erasure: 'begun' }, { $set: done });
  }
}

const beingErased = { isDeleted: true, erasure: 'begun', running: null } as const;

/** Deleted, and not yet being erased. */
const restorable = { isDeleted: true, erasure: { $in: [null, 'waiting'] } } as const;
/** A title is words, too. */
const beginning = { $set: { erasure: 'begun', title: '' }, $inc: { version: 1, sequence: 1 } } as const;
/** One in which nothing is being written. */
const idle = (id: ConversationId, visible: Visible) => ({ _id: id, ...visible, running: null, isDeleted: false });
