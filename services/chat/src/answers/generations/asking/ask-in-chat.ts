import { Injectable } from '@nestjs/common';
import {
  Problem,
  type BodyOf,
  type ConversationId,
  type GenerationId,
  type MessageFile,
  type MessageId,
  type Model,
  type sendMessage,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isDuplicateKey, type Transaction } from '@parley/platform/mongo';
import { callContext, Work } from '@parley/platform/work';
import { setTimeout as wait } from 'node:timers/promises';
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
import { Answerers, type Answerer } from './answerers.ts';
import { GenerationQueue } from './generation-queue.ts';
import { HeadStart } from './head-start.ts';
import { askerOf } from './new-answer.ts';
import { PrepareAnswer } from './prepare-answer.ts';
import { StoreAnswer } from './store-answer.ts';

/** How long the reply is delayed so that the request to the model gets out first, and so does a model that answers at once. */
const modelsMs = 2;

export type AskedIds = {
  readonly conversationId: ConversationId;
  readonly questionId: MessageId;
  readonly answerId: MessageId;
  readonly generationId: GenerationId;
};
/** What else its transaction does, before all: where that throws, nothing is asked. */
export type Taking = { readonly take?: (tx: Transaction) => Promise<void> };
/** What its transaction has found: the conversation, in which the answer now runs, and the question, `added` if it is new. */
export type Decided = {
  readonly conversation: StoredConversation;
  readonly question: MessageRow;
  readonly added: readonly NewMessage[];
  /** Of the answer. */
  readonly standing: Standing;
  /** Where the path ends that the model is told of: before a new question, at one that is answered again. */
  readonly before: Parent | null;
};
export type WantedAnswer = AskedIds &
  Pick<ChatAsk, 'continued' | 'images'> &
  Pick<BodyOf<typeof sendMessage>, 'text' | 'chatbotId' | 'model'> & {
    /** Takes the conversation for this answer, or refuses with a problem. */
    readonly decide: (tx: Transaction, asked: { now: Date; files: readonly MessageFile[] }) => Promise<Decided>;
    /** Of a new question: what is done with its files on this model, or a problem. Absent: it has none. */
    readonly attach?: (model: Model) => Promise<readonly MessageFile[]>;
  };
export type Asked = {
  readonly conversation: StoredConversation;
  readonly question: MessageRow;
  readonly answer: MessageRow;
  readonly generation: Generation;
};

/**
 * Takes a question of a chat: decides, saves and records in one transaction, then hands the generation to a worker. What
 * the answer needs is read beside the transaction.
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

  /** Repeating it with the same ids returns the same and writes nothing. */
  async ask(viewer: Viewer, wanted: WantedAnswer): Promise<Asked> {
    const { scope, principal } = viewer;
    const { generationId, text, continued, images } = wanted;
    const start = new HeadStart(this.queue, { orgId: scope.orgId, userId: principal.userId, generationId });
    const choosing = this.answerers.choose(viewer, wanted);
    choosing.catch(() => undefined);
    const { conversationId, questionId } = wanted;
    const files = wanted.attach && choosing.then(({ model }) => wanted.attach?.(model) ?? []);
    files?.catch(() => undefined);
    const fresh = { text, before: start.before, ...(files && { files }) };
    const ask: Ask = { kind: 'chat', conversationId, questionId, asker: askerOf(viewer), continued, images, fresh };
    const storing = this.work.run(principal, (tx) => this.store(viewer, { wanted, ask, choosing, files, start }, tx));
    start.prepare(() => this.prepare.prepareFor(scope, choosing, ask));
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
    if (start.handOver(asked.generation)) await wait(modelsMs);
    return asked;
  }

  private async store(
    { scope }: Viewer,
    parts: {
      wanted: WantedAnswer;
      ask: Ask;
      choosing: Promise<Answerer>;
      files: Promise<readonly MessageFile[]> | undefined;
      start: HeadStart;
    },
    tx: Transaction,
  ): Promise<Asked> {
    const { wanted, ask, choosing, files, start } = parts;
    const now = this.clock.now();
    const { conversation, question, added, standing, before } = await wanted.decide(tx, {
      now,
      files: (await files) ?? [],
    });
    const { answerId, generationId } = wanted;
    start.begin({ sequence: conversation.sequence - added.length - 1, leaf: before });
    const answerer = await choosing;
    const { lease } = start;
    const stored = await this.storing.store(
      { scope, conversation, added, standing, ask, answerId, generationId, answerer, lease, now },
      tx,
    );
    return { conversation, question, ...stored };
  }

  /** Looked up only after a refusal: nearly every call is the first of its kind. */
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
  'chat.conversation-not-found',
  'chat.file-not-found',
  'chat.file-not-ready',
  'chat.file-unreadable',
];

/** Something with one of these ids is there, or an answer is running: the call may have been made before. */
const mayBeRepeated = (error: unknown): boolean =>
  isDuplicateKey(error) || (error instanceof Problem && refusalsOfRepeats.includes(error.code));
