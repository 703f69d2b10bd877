import { Injectable } from '@nestjs/common';
import {
  feedbackChanged,
  feedbackNoted,
  listHolders,
  type ConversationId,
  type FeedbackId,
  type listFeedbackReaders,
  type listMyFeedback,
  type MessageId,
  type OwnFeedback,
  type rateAnswer,
  type withdrawFeedback,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { derivedId } from '@parley/platform/ids';
import type { Transaction } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type BodyOf, type ResponseOf } from '@parley/protocol';
import { defaultChatbot } from '../assistants/chatbots/index.ts';
import {
  ConversationAccess,
  MessagesRepository,
  titleFrom,
  type MessageRow,
  type Viewer,
} from '../conversations/index.ts';
import { GenerationsRepository } from '../answers/generations/index.ts';
import { FeedbackCounts } from './feedback-counts.ts';
import type { FeedbackRow, SharedMessages } from './feedback.collection.ts';
import { FeedbackRepository } from './feedback.repository.ts';
import { stateAfter, toOwn, withStep } from './feedback.ts';
import { MessagesToShare } from './shared-messages.ts';
import { told } from './feedback-told.ts';

const namedReaders = 3;
const mostReaders = 100;

type Rated = BodyOf<typeof rateAnswer>;
type Answer = { readonly row: MessageRow; readonly of: Pick<FeedbackRow, 'generationId' | 'chatbot' | 'model'> };

/** What people say of the answers that they got. */
@Injectable()
export class OwnFeedbackService {
  constructor(
    private readonly feedback: FeedbackRepository,
    private readonly counts: FeedbackCounts,
    private readonly sharing: MessagesToShare,
    private readonly access: ConversationAccess,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly platform: Platform,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async rate(input: InputOf<typeof rateAnswer>): Promise<OwnFeedback> {
    const { scope, principal, params, body } = input;
    const { conversationId } = params;
    const answer = await this.answerOf(input, conversationId, params.messageId);
    const wanted = { ...body, reasons: body.rating === 'up' ? [] : [...new Set(body.reasons)] };
    const shared = await this.sharing.upTo(scope, conversationId, { answer: answer.row, most: body.messages });
    return this.work.run(principal, async (tx) => {
      const known = await this.feedback.find(scope, idFor(input, params.messageId), tx);
      if (known && isSame(known, wanted)) return toOwn(known);
      const row = known
        ? await this.change(input, known, { wanted, shared }, tx)
        : await this.insert(input, answer, { wanted, shared }, tx);
      await this.feedback.share(scope, row, shared, tx);
      await this.counts.move(scope, row, { from: known?.rating ?? null, to: row.rating }, tx);
      tx.record(feedbackChanged, told(row, principal, 'rated'));
      this.noted(row, tx);
      return toOwn(row);
    });
  }

  async withdraw(input: InputOf<typeof withdrawFeedback>): Promise<void> {
    const { scope, principal, params } = input;
    await this.access.read(input, params.conversationId);
    const message = await this.messages.find(scope, { ...params, id: params.messageId });
    if (!message) throw new Problem('chat.message-not-found');
    await this.work.run(principal, async (tx) => {
      const row = await this.feedback.find(scope, idFor(input, params.messageId), tx);
      if (!row) return;
      await this.feedback.delete(scope, row._id, tx);
      await this.counts.move(scope, row, { from: row.rating, to: null }, tx);
      tx.record(feedbackChanged, told(row, principal, 'withdrawn'));
      this.noted(row, tx);
    });
  }

  async listMine(input: InputOf<typeof listMyFeedback>): Promise<ResponseOf<typeof listMyFeedback>> {
    const { scope, principal, params } = input;
    const { _id } = await this.access.read(input, params.conversationId);
    return { items: (await this.feedback.listOwn(scope, _id, principal.userId)).map(toOwn) };
  }

  async readers({
    scope,
    principal,
  }: InputOf<typeof listFeedbackReaders>): Promise<ResponseOf<typeof listFeedbackReaders>> {
    const { items } = await this.platform.peers.call(
      listHolders,
      { params: { orgId: scope.orgId }, query: { permission: 'feedback:read', limit: mostReaders } },
      { deadlineMs: 2_000, failMode: 'refuse' },
    );
    const others = items.filter(({ userId }) => userId !== principal.userId);
    const names = others.slice(0, namedReaders).map(({ name }) => name);
    return { names, more: others.length - names.length };
  }

  /** An answer of an own chat that has ended, and what it is an answer of. */
  private async answerOf(viewer: Viewer, conversationId: ConversationId, id: MessageId): Promise<Answer> {
    const { scope } = viewer;
    const conversation = await this.access.read(viewer, conversationId);
    const row = await this.messages.find(scope, { conversationId, id });
    if (row && !(await this.sharing.isShown(scope, conversation, row))) throw new Problem('chat.message-not-found');
    const generation = row?.generationId && (await this.generations.find(scope, conversationId, row.generationId));
    if (!row || !generation || generation.imported)
      throw new Problem('chat.message-not-found', { detail: 'Only answers are rated.' });
    if (generation.finishedAt === null)
      throw new Problem('chat.generation-running', { detail: 'Wait until the answer is written.' });
    const { _id: generationId, modelKey: key, modelLabel: label } = generation;
    const { _id, draft } = defaultChatbot(scope.orgId);
    // Before there were chatbots the default one answered, as it is while nobody has changed it.
    const chatbot = generation.chatbot ?? { id: _id, version: 0, name: draft.name, glyph: draft.glyph };
    return { row, of: { generationId, chatbot, model: { key, label } } };
  }

  private async insert(
    { scope, principal, params }: InputOf<typeof rateAnswer>,
    { row: { _id: messageId }, of }: Answer,
    said: Said,
    tx: Transaction,
  ): Promise<FeedbackRow> {
    const now = this.clock.now();
    const reporter = { userId: principal.userId, name: principal.name };
    const row = {
      _id: feedbackIdOf(messageId, principal.userId),
      orgId: scope.orgId,
      conversationId: params.conversationId,
      messageId,
      ...of,
      reporter,
      ...asSaid(said),
      state: stateAfter(said.wanted.rating, null),
      assignee: null,
      note: '',
      reply: null,
      isChatDeleted: false,
      history: [{ at: now, by: reporter, what: 'rated' as const, to: null }],
      ratedAt: now,
      revision: 1,
    };
    await this.feedback.insert(scope, row, tx);
    return row;
  }

  private async change(
    { scope, principal: { userId, name } }: InputOf<typeof rateAnswer>,
    known: FeedbackRow,
    said: Said,
    tx: Transaction,
  ): Promise<FeedbackRow> {
    const step = { at: this.clock.now(), by: { userId, name }, what: 'rated' as const, to: null };
    const state = stateAfter(said.wanted.rating, known.state);
    const set = { ...asSaid(said), state, isChatDeleted: false, history: withStep(known, step) };
    const row = await this.feedback.change(scope, known, set, tx);
    if (!row) throw new Problem('platform.conflict');
    return row;
  }

  private noted(row: FeedbackRow, tx: Transaction): void {
    const { _id: feedbackId, orgId, conversationId, messageId, reporter } = row;
    tx.record(feedbackNoted, { orgId, feedbackId, conversationId, messageId, userId: reporter.userId });
  }
}

type Said = { readonly wanted: Rated; readonly shared: SharedMessages };

const asSaid = ({ wanted, shared }: Said) => ({
  rating: wanted.rating,
  reasons: wanted.reasons,
  comment: wanted.comment,
  agreedMessages: wanted.messages,
  sharedMessages: shared.length,
  question: questionOf(shared),
});

/** The one that was answered: its first line. */
function questionOf(shared: SharedMessages): string | null {
  const question = shared.findLast(({ role }) => role === 'person');
  return question ? titleFrom(question.text) : null;
}

/** One person has one opinion of an answer: its id follows from both. */
const feedbackIdOf = (messageId: MessageId, userId: string): FeedbackId =>
  derivedId('feedback', ['rating', messageId, userId]);
const idFor = ({ principal }: Viewer, messageId: MessageId): FeedbackId => feedbackIdOf(messageId, principal.userId);

const isSame = (known: FeedbackRow, { rating, reasons, comment, messages }: Rated): boolean =>
  known.rating === rating &&
  known.comment === comment &&
  known.agreedMessages === messages &&
  JSON.stringify(known.reasons) === JSON.stringify(reasons);
