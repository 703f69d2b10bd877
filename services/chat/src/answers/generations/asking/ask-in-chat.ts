import { Injectable } from '@nestjs/common';
import type { ConversationId, GenerationId, MessageFile, MessageId, Model, sendMessage } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isDuplicateKey, type Transaction } from '@parley/platform/mongo';
import { callContext, Work } from '@parley/platform/work';
import { Problem, type BodyOf } from '@parley/protocol';
import {
  ConversationAccess,
  MessagesRepository,
  type MessageRow,
  type NewMessage,
  type Parent,
  type Standing,
  type StoredConversation,
  type Viewer,
} from '../../../conversations/index.ts';
import type { Ask, ChatAsk } from '../rows/ask.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { GenerationsRepository } from '../rows/generations.repository.ts';
import { Answerers } from './answerers.ts';
import { GenerationQueue } from './generation-queue.ts';
import { HeadStart, type Chosen } from './head-start.ts';
import { askerOf } from './new-answer.ts';
import { PrepareAnswer } from './prepare-answer.ts';
import { StoreAnswer } from './store-answer.ts';

export type AskedIds = {
  readonly conversationId: ConversationId;
  readonly questionId: MessageId;
  readonly answerId: MessageId;
  readonly generationId: GenerationId;
};
/** Called first in the transaction that asks: if it throws, nothing is asked. */
export type Taking = { readonly take?: (tx: Transaction) => Promise<void> };
/**
 * Throws `chat.generation-running` for a question that would overtake waiting ones, which are asked in order of
 * arrival.
 */
export function assertTurn({ queued, isQueueHeld }: StoredConversation, { take }: Taking): void {
  if (queued && !isQueueHeld && !take)
    throw new Problem('chat.generation-running', { detail: 'Other questions wait before it.' });
}
/**
 * The result of `decide` in the transaction that asks: the conversation, which now has this running answer, and the
 * question. `added` has the question if it is new.
 */
export type Decided = {
  readonly conversation: StoredConversation;
  readonly question: MessageRow;
  readonly added: readonly NewMessage[];
  /** Of the answer. */
  readonly standing: Standing;
  /** The last message before a new question; for another answer to an earlier question, that question. */
  readonly before: Parent | null;
};
export type WantedAnswer = AskedIds &
  Pick<ChatAsk, 'continued' | 'images'> &
  Pick<BodyOf<typeof sendMessage>, 'text' | 'chatbotId' | 'model'> & {
    /** Begins the answer in its conversation, or throws a problem. */
    readonly decide: (tx: Transaction, asked: { now: Date; files: readonly MessageFile[] }) => Promise<Decided>;
    /**
     * For a new question: decides how its files are used on this model, or throws a problem. Missing: it has no files.
     */
    readonly attach?: (model: Model) => Promise<readonly MessageFile[]>;
  };
export type Asked = {
  readonly conversation: StoredConversation;
  readonly question: MessageRow;
  readonly answer: MessageRow;
  readonly generation: Generation;
};

/**
 * Asks a question of a chat: decides, stores and records in one transaction, then passes the generation to a worker.
 * Reads what the answer needs meanwhile.
 */
@Injectable()
export class AskInChat {
  constructor(
    private readonly access: ConversationAccess,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly answerers: Answerers,
    private readonly queue: GenerationQueue,
    private readonly prepare: PrepareAnswer,
    private readonly storing: StoreAnswer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Idempotent: repeating the call with the same ids returns the stored rows and stores nothing. */
  async ask(viewer: Viewer, wanted: WantedAnswer): Promise<Asked> {
    const isHandedOver = this.queue.firstWords.expect();
    try {
      return await this.take(viewer, wanted);
    } finally {
      isHandedOver();
    }
  }

  private async take(viewer: Viewer, wanted: WantedAnswer): Promise<Asked> {
    const { scope, principal } = viewer;
    const { generationId, text, continued, images } = wanted;
    const start = new HeadStart(this.queue, { orgId: scope.orgId, userId: principal.userId, generationId });
    const chosen = start.choose(this.answerers.choose(viewer, wanted), wanted.attach);
    const { conversationId, questionId } = wanted;
    const { answerer, files } = chosen;
    const fresh = { text, before: start.before, ...(files && { files }) };
    const ask: Ask = { kind: 'chat', conversationId, questionId, asker: askerOf(viewer), continued, images, fresh };
    const storing = this.work.run(principal, (tx) => this.store(viewer, { wanted, ask, chosen, start }, tx));
    start.prepare(() => this.prepare.prepareFor(scope, answerer, ask));
    let asked: Asked;
    try {
      asked = await storing;
    } catch (error) {
      start.release(error);
      const repeated = mayBeRepeated(error) ? await this.find(viewer, wanted) : null;
      if (!repeated) throw this.refusal(start, error);
      callContext.markRepeat();
      return repeated;
    }
    await start.handOverFirst(asked.generation);
    return asked;
  }

  private async store(
    { scope }: Viewer,
    parts: { wanted: WantedAnswer; ask: Ask; chosen: Chosen; start: HeadStart },
    tx: Transaction,
  ): Promise<Asked> {
    const { wanted, ask, chosen, start } = parts;
    const now = this.clock.now();
    const files = (await chosen.files) ?? [];
    const { conversation, question, added, standing, before } = await wanted.decide(tx, { now, files });
    const { answerId, generationId } = wanted;
    const { sequence, projectId = null } = conversation;
    start.begin({ sequence: sequence - added.length - 1, leaf: before, projectId });
    const answerer = await chosen.answerer;
    const { lease } = start;
    const stored = await this.storing.store(
      { scope, conversation, added, standing, ask, answerId, generationId, answerer, lease, now },
      tx,
    );
    return { conversation, question, ...stored };
  }

  /**
   * Returns the rows of an earlier call with these ids. Called only after a refusal, because nearly every call is the
   * first with its ids.
   */
  private async find(viewer: Viewer, { conversationId, ...ids }: AskedIds): Promise<Asked | null> {
    const { scope } = viewer;
    const [conversation, question, answer, generation] = await Promise.all([
      this.access.find(viewer, conversationId),
      this.messages.find(scope, { conversationId, id: ids.questionId }),
      this.messages.find(scope, { conversationId, id: ids.answerId }),
      this.generations.find(scope, conversationId, ids.generationId),
    ]);
    return conversation && question && answer && generation ? { conversation, question, answer, generation } : null;
  }

  private refusal(start: HeadStart, error: unknown): unknown {
    start.uncount(error);
    if (!isDuplicateKey(error)) return error;
    return new Problem('platform.conflict', { detail: 'An id was used for something else.' }, { cause: error });
  }
}

const refusalsOfRepeats: readonly string[] = [
  'chat.generation-running',
  'chat.too-many-versions',
  'chat.conversation-not-found',
  'chat.file-not-found',
  'chat.file-not-ready',
  'chat.file-unreadable',
];

/**
 * Returns true for an error that a repetition of a successful call can get. For example, an id exists already, an
 * answer runs, or the first call has created the last possible version.
 */
const mayBeRepeated = (error: unknown): boolean =>
  isDuplicateKey(error) || (error instanceof Problem && refusalsOfRepeats.includes(error.code));
