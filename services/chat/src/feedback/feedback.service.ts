import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  feedbackChanged,
  feedbackNoted,
  listHolders,
  type answerFeedback,
  type changeFeedback,
  type ConversationId,
  type countFeedback,
  type FeedbackCase,
  type FeedbackId,
  type FeedbackStep,
  type getFeedback,
  type listAssignees,
  type listFeedback,
  type MessageId,
  type readSharedMessages,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Platform, type InputOf, type Member } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type DataOf, type ResponseOf, type UserId } from '@parley/protocol';
import { ConversationsService, isOnPath, MessagePaths, type Located } from '../conversations/index.ts';
import { CuratedAnswersService } from '../knowledge/curated-answers/index.ts';
import { FeedbackCounts } from './feedback-counts.ts';
import type { FeedbackRow } from './feedback.collection.ts';
import { FeedbackRepository, mostEmptiedAtOnce } from './feedback.repository.ts';
import { told } from './feedback-told.ts';
import { dayOf, filterKeyOf, toCase, withStep } from './feedback.ts';

const dayMs = 86_400_000;
const mostAssignees = 100;

type What = FeedbackStep['what'];
type Set = Parameters<FeedbackRepository['change']>[2];
type Step = { readonly what: Exclude<What, 'rated'>; readonly to?: string | null; readonly set: Set };

/** Ratings as cases: for whoever takes care of them. */
@Injectable()
export class FeedbackService implements OnModuleInit {
  constructor(
    private readonly feedback: FeedbackRepository,
    private readonly counts: FeedbackCounts,
    private readonly conversations: ConversationsService,
    private readonly curated: CuratedAnswersService,
    private readonly platform: Platform,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly paths: MessagePaths,
  ) {}

  onModuleInit(): void {
    this.conversations.whenDeleted({
      record: async (scope, { conversation: { _id, ownerId }, root }, tx) => {
        const emptied = await this.feedback.empty(
          scope,
          { conversationId: _id, within: await this.ratedIn(scope, _id, root) },
          tx,
        );
        for (const row of emptied) tx.record(feedbackChanged, told(row, { userId: ownerId }, 'emptied'));
        return emptied.length === mostEmptiedAtOnce;
      },
      apply: () => undefined,
    });
    this.curated.whenWrittenFor(async ({ scope, principal, feedbackId }, tx) => {
      await this.step(scope, principal, await this.find(scope, feedbackId, tx), [{ what: 'curated', set: {} }], tx);
    });
  }

  /** Answers of a part of a conversation that were rated; null: all of it. */
  private async ratedIn(
    scope: OrganisationScope,
    conversationId: ConversationId,
    root: Located | null,
  ): Promise<MessageId[] | null> {
    if (!root) return null;
    const rated = await this.feedback.ratedAnswers(scope, conversationId);
    const answers = await this.paths.locateAll(scope, { conversationId, ids: rated });
    return answers.filter((answer) => isOnPath(root, answer)).map(({ _id }) => _id);
  }

  async list({ scope, query }: InputOf<typeof listFeedback>): Promise<ResponseOf<typeof listFeedback>> {
    const { from, until, limit, cursor, state, ...others } = query;
    const filters = { ...others, state: state === 'all' ? undefined : state };
    const range = {
      from: from === undefined ? null : new Date(from),
      before: until === undefined ? null : new Date(new Date(until).getTime() + dayMs),
    };
    const [page, open] = await Promise.all([
      this.feedback.list(scope, { filterKey: filterKeyOf(filters), ...range }, { limit, cursor }),
      this.feedback.count(scope, filterKeyOf({ state: 'open' })),
    ]);
    return { ...page, open };
  }

  count({ scope, query }: InputOf<typeof countFeedback>): Promise<ResponseOf<typeof countFeedback>> {
    const first = new Date(this.clock.now().getTime() - (query.days - 1) * dayMs);
    return this.counts.since(scope, dayOf(first));
  }

  async get({ scope, params }: InputOf<typeof getFeedback>): Promise<FeedbackCase> {
    return toCase(await this.find(scope, params.feedbackId));
  }

  async readShared({
    scope,
    principal,
    params,
  }: InputOf<typeof readSharedMessages>): Promise<ResponseOf<typeof readSharedMessages>> {
    const { feedbackId } = params;
    const row = await this.find(scope, feedbackId);
    const messages = await this.feedback.sharedOf(scope, feedbackId);
    if (messages.length > 0 && this.isNewsOf(row, principal.userId))
      await this.work.run(principal, async (tx) => {
        const seen = await this.find(scope, feedbackId, tx);
        if (this.isNewsOf(seen, principal.userId))
          await this.step(scope, principal, seen, [{ what: 'read', set: {} }], tx);
      });
    return { items: messages.map((message) => ({ ...message, at: message.at.toISOString() })) };
  }

  async change({ scope, principal, params, body }: InputOf<typeof changeFeedback>): Promise<FeedbackCase> {
    const { state, note, assigneeId } = body;
    const assignee = assigneeId == null ? null : await this.assigneeOf(scope, assigneeId);
    return this.work.run(principal, async (tx) => {
      const seen = await this.seen(scope, params.feedbackId, body.revision, tx);
      const steps: Step[] = [];
      if (state !== undefined && state !== seen.state) steps.push({ what: 'state', to: state, set: { state } });
      if (assigneeId !== undefined && assigneeId !== (seen.assignee?.userId ?? null))
        steps.push({ what: 'assigned', to: assignee?.name ?? null, set: { assignee } });
      if (note !== undefined && note !== seen.note) steps.push({ what: 'noted', set: { note } });
      return toCase(await this.step(scope, principal, seen, steps, tx));
    });
  }

  async assignees({ scope }: InputOf<typeof listAssignees>): Promise<ResponseOf<typeof listAssignees>> {
    return { items: await this.managers(scope) };
  }

  /** The reporter is shown it at once. */
  async answer({ scope, principal, params, body }: InputOf<typeof answerFeedback>): Promise<FeedbackCase> {
    return this.work.run(principal, async (tx) => {
      const seen = await this.seen(scope, params.feedbackId, body.revision, tx);
      const reply = { text: body.text, by: principal.name, at: this.clock.now() };
      const row = await this.step(scope, principal, seen, [{ what: 'answered', set: { reply } }], tx);
      const { _id: feedbackId, orgId, conversationId, messageId, reporter } = row;
      tx.record(feedbackNoted, { orgId, feedbackId, conversationId, messageId, userId: reporter.userId });
      return toCase(row);
    });
  }

  /** Writes down what was done with a case, all in one revision. */
  private async step(
    scope: OrganisationScope,
    principal: Member,
    seen: FeedbackRow,
    steps: readonly Step[],
    tx: Transaction,
  ): Promise<FeedbackRow> {
    if (steps.length === 0) return seen;
    const by = { userId: principal.userId, name: principal.name };
    const at = this.clock.now();
    const history = steps.reduce(
      (before, { what, to = null }) => withStep({ history: before }, { at, by, what, to }),
      seen.history,
    );
    const set = Object.assign({}, ...steps.map((step) => step.set), { history }) as Set;
    const row = await this.feedback.change(scope, seen, set, tx);
    if (!row) throw new Problem('platform.conflict', { current: toCase(seen) });
    for (const { what } of steps) tx.record(feedbackChanged, toldOf(row, principal, { what, before: seen.state }));
    return row;
  }

  private async find(scope: OrganisationScope, id: FeedbackId, tx?: Transaction): Promise<FeedbackRow> {
    const row = await this.feedback.find(scope, id, tx);
    if (!row) throw new Problem('chat.feedback-not-found');
    return row;
  }

  private async seen(
    scope: OrganisationScope,
    id: FeedbackId,
    revision: number,
    tx: Transaction,
  ): Promise<FeedbackRow> {
    const row = await this.find(scope, id, tx);
    if (row.revision !== revision) throw new Problem('platform.conflict', { current: toCase(row) });
    return row;
  }

  /** One's own words are no news, nor what one has read within a day. */
  private isNewsOf({ reporter, history }: FeedbackRow, userId: UserId): boolean {
    const since = this.clock.now().getTime() - dayMs;
    return (
      reporter.userId !== userId &&
      !history.some(({ what, by, at }) => what === 'read' && by.userId === userId && at.getTime() > since)
    );
  }

  private async assigneeOf(scope: OrganisationScope, userId: UserId): Promise<NonNullable<FeedbackRow['assignee']>> {
    const found = (await this.managers(scope)).find((one) => one.userId === userId);
    if (!found) throw new Problem('org.member-not-found', { detail: 'Nobody here of this id may work on feedback.' });
    return found;
  }

  private async managers({ orgId }: OrganisationScope): Promise<ResponseOf<typeof listAssignees>['items']> {
    const query = { permission: 'feedback:manage' as const, limit: mostAssignees };
    const asked = { deadlineMs: 2_000, failMode: 'refuse' } as const;
    return (await this.platform.peers.call(listHolders, { params: { orgId }, query }, asked)).items;
  }
}

function toldOf(
  row: FeedbackRow,
  principal: Member,
  { what, before }: { what: Step['what']; before: FeedbackRow['state'] },
): DataOf<typeof feedbackChanged> {
  return { ...told(row, principal, what), ...(what === 'state' && { before }) };
}
