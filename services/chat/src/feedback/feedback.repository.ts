import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId, FeedbackId, FeedbackItem } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import {
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import {
  feedbackRows,
  sharedMessageRows,
  type FeedbackRow,
  type NewFeedback,
  type SharedMessages,
} from './feedback.collection.ts';
import { filterKeysOf, toItem } from './feedback.ts';

const mostOwn = 200;
const countLimit = 1_000;
/** Each with what was shared with it, and an event (ADR 0032). */
export const mostEmptiedAtOnce = 50;

type Set = Partial<Omit<FeedbackRow, '_id' | 'orgId' | 'revision'>>;

/** Ratings with their cases, and what was sent along. */
@Injectable()
export class FeedbackRepository {
  private readonly rows: Rows<typeof feedbackRows>;
  private readonly shared: Rows<typeof sharedMessageRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(feedbackRows);
    this.shared = mongo.rows(sharedMessageRows);
  }

  find(scope: OrganisationScope, id: FeedbackId, tx?: Transaction): Promise<FeedbackRow | null> {
    return this.rows.within(scope, tx).findById(id);
  }

  insert(scope: OrganisationScope, row: Omit<NewFeedback, 'filterKeys'>, tx: Transaction): Promise<void> {
    return this.rows.within(scope, tx).insert({ ...row, filterKeys: filterKeysOf(row) });
  }

  /** Null where another revision is there. */
  change(scope: OrganisationScope, seen: FeedbackRow, set: Set, tx: Transaction): Promise<FeedbackRow | null> {
    const { _id, revision } = seen;
    const filterKeys = filterKeysOf({ ...seen, ...set });
    return this.rows
      .within(scope, tx)
      .change({ _id, revision }, { $set: { ...set, filterKeys }, $inc: { revision: 1 } });
  }

  async delete(scope: OrganisationScope, id: FeedbackId, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).delete({ _id: id });
    await this.shared.within(scope, tx).delete({ _id: id });
  }

  /** Answers of a conversation of which something is kept. */
  async ratedAnswers(scope: OrganisationScope, conversationId: ConversationId): Promise<MessageId[]> {
    const where = { conversationId, isChatDeleted: false };
    return (await this.rows.within(scope).find(where, { fields: ['messageId'] })).map(({ messageId }) => messageId);
  }

  /** Newest first. */
  listOwn(scope: OrganisationScope, conversationId: ConversationId, userId: UserId): Promise<FeedbackRow[]> {
    return this.rows
      .within(scope)
      .find({ conversationId }, { sort: { ratedAt: -1 }, limit: mostOwn })
      .then((rows) => rows.filter(({ reporter }) => reporter.userId === userId));
  }

  /** Newest first; `from` and `before` are moments. */
  list(
    scope: OrganisationScope,
    { filterKey, from, before }: { filterKey: string; from: Date | null; before: Date | null },
    query: PageQuery,
  ): Promise<Page<FeedbackItem>> {
    const range = { ...(from && { $gte: from }), ...(before && { $lt: before }) };
    const where = { filterKeys: filterKey, ...((from ?? before) && { ratedAt: range }) };
    return this.rows.within(scope).page(query, { by: { ratedAt: -1 }, where, to: toItem });
  }

  /** Counted up to a thousand. */
  count(scope: OrganisationScope, filterKey: string): Promise<number> {
    return this.rows.within(scope).count({ filterKeys: filterKey }, { limit: countLimit });
  }

  /** In the place of what was there; none are no row. */
  async share(
    scope: OrganisationScope,
    { _id, conversationId }: Pick<FeedbackRow, '_id' | 'conversationId'>,
    messages: SharedMessages,
    tx: Transaction,
  ): Promise<void> {
    const shared = this.shared.within(scope, tx);
    await shared.delete({ _id });
    if (messages.length > 0) await shared.insert({ _id, orgId: scope.orgId, conversationId, messages });
  }

  async sharedOf(scope: OrganisationScope, id: FeedbackId): Promise<SharedMessages> {
    return (await this.shared.within(scope).findById(id))?.messages ?? [];
  }

  /**
   * Takes every word of the reporter out of some of what a conversation was rated, and out of what was shared with it;
   * answers with the rows of which there were, `mostEmptiedAtOnce` where there may be more.
   */
  async empty(
    scope: OrganisationScope,
    { conversationId, within }: { conversationId: ConversationId; within: readonly MessageId[] | null },
    tx: Transaction,
  ): Promise<FeedbackRow[]> {
    const rows = this.rows.within(scope, tx);
    const found = await rows.find(
      { conversationId, isChatDeleted: false, ...(within && { messageId: { $in: within } }) },
      { sort: { ratedAt: -1 }, limit: mostEmptiedAtOnce },
    );
    if (found.length === 0) return [];
    const these = { _id: { $in: found.map(({ _id }) => _id) } };
    await this.shared.within(scope, tx).deleteMany(these);
    const nothing = { comment: '', question: null, agreedMessages: 0, sharedMessages: 0, isChatDeleted: true };
    await rows.updateMany(these, { $set: nothing, $inc: { revision: 1 } });
    return found.map((row) => ({ ...row, ...nothing }));
  }
}
