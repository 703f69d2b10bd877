import type { ConversationId, FileId, GenerationId, Message, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { leafOf } from '@parley/frontend/conversation-stream';
import { RefusedCall, type ParleyClient } from '@parley/testing/client';
import type { Edition } from './edition.ts';
import type { ConversationRecord, Evidence } from './evidence.ts';
import { isFinal, type FollowedConversation } from './followed-conversation.ts';
import { within } from './product.ts';
import { Tab } from './tab.ts';
import { between, newQuestionOrFile, pause, type Length, type Question } from './world.ts';

const callTimeoutMs = 10_000;
const answerWithinMs = 300_000;
/** Also where the process that read it was killed: its lease ends first. */
const readWithinMs = 300_000;
const mostRetries = 6;

export type PersonHabits = {
  readonly evidence: Evidence;
  readonly otherTabs: readonly ParleyClient[];
  readonly shortConversations: number;
  readonly thinkMs: Edition['thinkMs'];
};
type Step = { readonly record: ConversationRecord; readonly here: FollowedConversation };

/**
 * Asks one question after the other in each conversation, as a browser does: the same ids until the server has said
 * yes.
 */
export class Person {
  readonly tabs: readonly Tab[];
  readonly client: ParleyClient;
  private readonly evidence: Evidence;
  private readonly lengths: ReadonlyMap<ConversationId, Length>;
  private readonly thinkMs: Edition['thinkMs'];
  private isDone = false;
  private isOver = false;

  constructor(client: ParleyClient, { evidence, otherTabs, shortConversations, thinkMs }: PersonHabits) {
    this.client = client;
    this.evidence = evidence;
    this.thinkMs = thinkMs;
    const lengths: Length[] = [...Array.from({ length: shortConversations }, () => 'short' as const), 'long'];
    this.lengths = new Map(lengths.map((length) => [newId('conversation') as ConversationId, length]));
    this.tabs = [client, ...otherTabs].map((own) => new Tab(own, [...this.lengths.keys()], this.evidence));
  }

  /** Resolves when every conversation is at rest after `finish`. */
  async converse(): Promise<void> {
    for (const tab of this.tabs) tab.connect();
    await Promise.all([...this.lengths].map(([id, length]) => this.talk(id, length)));
  }

  /** No further questions; what was asked is seen through. */
  finish(): void {
    this.isDone = true;
  }

  /** The run failed: nothing more. */
  abandon(): void {
    this.isDone = true;
    this.isOver = true;
    for (const tab of this.tabs) tab.close();
  }

  private async talk(id: ConversationId, length: Length): Promise<void> {
    const record: ConversationRecord = { id, owner: this.client, acknowledged: [], retried: [] };
    this.evidence.conversations.set(id, record);
    const step = { record, here: this.tabs[0]!.conversation(id) };
    while (!this.isDone) {
      await pause(length === 'long' ? between(50, 900) : between(this.thinkMs.least, this.thinkMs.most));
      let answer = await this.ask(step, length);
      for (let retries = 0; answer && retries < mostRetries && answer.generation?.status !== 'done'; retries += 1)
        answer = await this.retry(step, answer, length);
      if (!answer && !this.isOver) return this.noteLost(step);
    }
  }

  /** Says what the tab shows and what chat says, to tell an answer that never ended from one whose end was not told. */
  private async noteLost({ record: { id }, here }: Step): Promise<void> {
    const last = (items: readonly Message[]): string => {
      const generation = items.at(-1)?.generation;
      return generation ? `${generation.id} ${generation.status}` : 'no answer';
    };
    const told = await this.client.path(id, { limit: 1 }).then(({ items }) => last(items), String);
    const shown = last(here.state.messages);
    const within = `an answer did not end within ${answerWithinMs / 1_000} s`;
    this.evidence.note('lost', `${id}: ${within}; its tab shows ${shown}, chat says ${told}`);
  }

  private async ask({ record, here }: Step, length: Length): Promise<Message | undefined> {
    const question = newQuestionOrFile(record.id, length);
    const files = await this.attach(question);
    if (!files) return undefined;
    const { messageId, answerId, generationId, text } = question;
    if (length === 'long') this.evidence.markLong(generationId);
    here.expect({ generationId, answerId });
    const parentId = leafOf(here.state);
    const { answer: accepted, tries } = await this.untilAccepted(() =>
      this.client.send(record.id, text, { messageId, answerId, generationId, ...(parentId && { parentId }), files }),
    );
    if (!accepted) return undefined;
    this.evidence.acknowledge(record, { question, message: accepted.message, answer: accepted.answer }, tries);
    await here.accept([accepted.message, accepted.answer]);
    return this.end(here, answerId);
  }

  /** Uploads its note and waits until it is read, as the composer does; undefined when the run is over. */
  private async attach({ note, serial }: Question): Promise<{ id: FileId; use: 'whole' }[] | undefined> {
    if (!note) return [];
    const { id, text } = note;
    await this.untilAccepted(() => this.client.attach(id, `note of q${serial}.txt`, text));
    for (const deadline = performance.now() + readWithinMs; !this.isOver; await pause(between(100, 300))) {
      const { answer } = await this.untilAccepted(() =>
        this.client.call('GET /api/chat/files', { query: { ids: id } }),
      );
      const file = answer?.items[0];
      if (file?.status === 'ready') return [{ id, use: 'whole' }];
      if (!answer || (file && file.status !== 'failed' && performance.now() < deadline)) continue;
      this.evidence.note('lost', `the note of q${serial} is ${file?.status ?? 'not there'} ${file?.failure ?? ''}`);
      return undefined;
    }
    return undefined;
  }

  /** The button below an answer that was interrupted. */
  private async retry({ record, here }: Step, ended: Message, length: Length): Promise<Message | undefined> {
    if (!ended.parentId) return undefined;
    const wish = {
      parentId: ended.parentId,
      answerId: newId('message') as MessageId,
      generationId: newId('generation') as GenerationId,
    };
    if (length === 'long') this.evidence.markLong(wish.generationId);
    here.expect(wish);
    const { answer: accepted } = await this.untilAccepted(() =>
      this.client.call('POST /api/chat/conversations/:conversationId/answers', {
        params: { conversationId: record.id },
        body: wish,
      }),
    );
    if (!accepted) return undefined;
    record.retried.push(wish);
    await here.accept([accepted.answer]);
    return this.end(here, wish.answerId);
  }

  private async end(here: FollowedConversation, answerId: MessageId): Promise<Message | undefined> {
    for (
      const deadline = performance.now() + answerWithinMs;
      performance.now() < deadline && !this.isOver;
      await pause(15)
    ) {
      const message = here.message(answerId);
      if (isFinal(message)) return message;
    }
    return undefined;
  }

  private async untilAccepted<Answer>(ask: () => Promise<Answer>): Promise<{ answer: Answer | null; tries: number }> {
    for (let tries = 1; !this.isOver; tries += 1) {
      try {
        return { answer: await within(callTimeoutMs, 'the server should answer', ask()), tries };
      } catch (error) {
        this.evidence.refuse(error instanceof RefusedCall ? error.problem.code : 'no answer');
        await pause(between(60, 160));
      }
    }
    return { answer: null, tries: 0 };
  }
}
