import { Injectable } from '@nestjs/common';
import {
  asksNothing,
  asksSomething,
  mostQueued,
  type addToQueue,
  type ConversationId,
  type editQueued,
  type listQueue,
  type QueuedQuestion,
  type QuestionQueue,
  type resumeQueue,
  type WaitingFile,
  type withdrawQueued,
} from '@parley/contracts';
import { isDuplicateKey, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import {
  ConversationAccess,
  MessagesRepository,
  QueueMarks,
  recordQueue,
  type StoredConversation,
  type Viewer,
} from '../../conversations/index.ts';
import { AskNow } from './ask-now.ts';
import { QueueParents } from './queue-parents.ts';
import { QueueRepository } from './queue.repository.ts';
import type { QueuedRow } from './queued-question.collection.ts';
import { filesOf, idOf, newQueued, toQueue, toQueued, waitsForPerson } from './queued-question.ts';

type Adding = InputOf<typeof addToQueue>;
/** The most attempts to queue a request, because an answer can begin or end between reading and writing. */
const mostTries = 5;

/**
 * Queues requests of a conversation until no other answer runs in it. Each conversation has one queue, in order of
 * arrival.
 */
@Injectable()
export class QueueService {
  constructor(
    private readonly queue: QueueRepository,
    private readonly marks: QueueMarks,
    private readonly parents: QueueParents,
    private readonly access: ConversationAccess,
    private readonly messages: MessagesRepository,
    private readonly asking: AskNow,
    private readonly work: Work,
  ) {}

  list(input: InputOf<typeof listQueue>): Promise<QuestionQueue> {
    return this.read(input, input.params);
  }

  async add(input: Adding): Promise<ResponseOf<typeof addToQueue>> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const conversation = await this.access.find(input, input.params.conversationId);
      const isFree = !conversation || isIdle(conversation);
      const what = isFree ? await this.startNow(input) : await this.enqueue(input);
      if (what !== 'changed') return { ...(await this.read(input, input.params)), started: what === 'started' };
    }
    throw new Problem('platform.conflict', { detail: 'Answers begin and end here too often.' });
  }

  async edit(input: InputOf<typeof editQueued>): Promise<QueuedQuestion> {
    const { scope, principal, params, body } = input;
    const files = body.files && (await this.asking.waiting(input, body.files));
    const { conversationId, messageId: id } = params;
    const conversation = await this.access.read(input, conversationId);
    const edited = await this.work.run(principal, async (tx) => {
      const row = await this.queue.edit(scope, { conversationId, id, ...body, files }, tx);
      if (row) assertAsks(row);
      if (row) recordQueue(tx, conversation);
      return row;
    });
    if (edited) return toQueued(edited);
    const current = await this.queue.find(scope, { conversationId, id });
    if (current) throw new Problem('platform.conflict', { current: toQueued(current) });
    const isAsked = await this.messages.find(scope, { conversationId, id });
    throw new Problem(isAsked ? 'platform.conflict' : 'chat.message-not-found');
  }

  async withdraw(input: InputOf<typeof withdrawQueued>): Promise<void> {
    const { scope, principal, params } = input;
    const { conversationId, messageId: id } = params;
    await this.access.read(input, conversationId);
    await this.work.run(principal, async (tx) => {
      const conversation = await this.access.find(input, conversationId, tx);
      const row = await this.queue.find(scope, { conversationId, id }, tx);
      if (!conversation) return;
      if (!row) {
        if (await this.messages.find(scope, { conversationId, id }, tx)) throw new Problem('platform.conflict');
        return;
      }
      await this.queue.remove(scope, [row], tx);
      await this.queue.move(
        scope,
        { conversationId, from: row.answerId, to: await this.parents.instead(scope, row, tx) },
        tx,
      );
      await this.marks.remove(scope, { id: conversationId, count: 1 }, tx);
      recordQueue(tx, conversation);
    });
  }

  async resume(input: InputOf<typeof resumeQueue>): Promise<QuestionQueue> {
    const { scope, principal, params } = input;
    await this.access.read(input, params.conversationId);
    await this.work.run(principal, async (tx) => {
      const conversation = await this.access.find(input, params.conversationId, tx);
      if (!conversation || !waitsForPerson(conversation)) return;
      const first = await this.queue.first(scope, conversation._id, tx);
      if (first?.refusal) await this.queue.setRefusal(scope, { seen: first, refusal: null }, tx);
      await this.marks.hold(scope, { id: conversation._id, isQueueHeld: false }, tx);
      recordQueue(tx, conversation);
    });
    return this.read(input, params);
  }

  private async read(viewer: Viewer, { conversationId }: { conversationId: ConversationId }): Promise<QuestionQueue> {
    const conversation = await this.access.read(viewer, conversationId);
    return toQueue(conversation, conversation.queued ? await this.queue.list(viewer.scope, conversationId) : []);
  }

  private async startNow(input: Adding): Promise<'started' | 'changed'> {
    try {
      await this.asking.ask(input, { ...input.body, conversationId: input.params.conversationId });
      return 'started';
    } catch (error) {
      if (error instanceof Problem && error.code === 'chat.generation-running') return 'changed';
      throw error;
    }
  }

  private async enqueue(input: Adding): Promise<'queued' | 'started' | 'changed'> {
    const files = await this.filesOf(input);
    if (!files) return 'queued';
    try {
      return await this.work.run(input.principal, (tx) => this.store(input, files, tx));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new Problem('platform.conflict', { detail: 'An id was used for something else.' }, { cause: error });
    }
  }

  /** Returns null if the request is already queued: then its files needn't be looked up. */
  private async filesOf(input: Adding): Promise<WaitingFile[] | null> {
    const asked = filesOf(input.body);
    if (asked.length === 0) return [];
    const { conversationId } = input.params;
    if (await this.queue.find(input.scope, { conversationId, id: idOf(input.body) })) return null;
    return this.asking.waiting(input, asked);
  }

  private async store(input: Adding, files: WaitingFile[], tx: Transaction): Promise<'queued' | 'started' | 'changed'> {
    const { scope, params, body: wish } = input;
    const { conversationId } = params;
    const conversation = await this.access.find(input, conversationId, tx);
    if (!conversation || conversation.isDeleted) throw new Problem('chat.conversation-not-found');
    const behind = await this.queue.list(scope, conversationId, tx);
    if (behind.some(({ _id }) => _id === idOf(wish))) return 'queued';
    if (await this.messages.find(scope, { conversationId, id: idOf(wish) }, tx)) return 'started';
    if (isIdle(conversation)) return 'changed';
    if (behind.length >= mostQueued)
      throw new Problem('chat.queue-full', { detail: `At most ${mostQueued} questions wait in one conversation.` });
    await this.parents.assert(scope, { conversation, behind, wish }, tx);
    const mark = { id: conversationId, isQueueHeld: waitsForPerson(conversation) };
    await this.marks.add(scope, mark, tx);
    await this.queue.add(scope, newQueued(input, { wish, files, conversation, behind, now: tx.now }), tx);
    recordQueue(tx, conversation);
    return 'queued';
  }
}

/** Throws for a question with neither words nor files. */
function assertAsks({ text, files }: QueuedRow): void {
  if (!asksSomething({ text, files }))
    throw new Problem('platform.invalid-request', {
      errors: [{ path: asksNothing.path.join('.'), message: asksNothing.message }],
    });
}

/** Returns whether no answer runs in the conversation and no question waits. */
const isIdle = ({ running, queued }: StoredConversation): boolean => !running && !queued;
