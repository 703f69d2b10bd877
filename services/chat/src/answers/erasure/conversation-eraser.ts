import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import {
  ConversationsRepository,
  ConversationsService,
  MessagesRepository,
  type eraseChat,
  type NewMessage,
  type StoredConversation,
} from '../../conversations/index.ts';
import { GenerationsRepository } from '../generations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { inBatches } from './in-batches.ts';
import { recordErased } from './record-erased.ts';

/** Messages that one transaction erases, each with its answer's generation (ADR 0032). */
export const messagesPerBatch = 20;
/** Index rows that one transaction deletes; a single message can exceed this. */
export const keysPerBatch = 2_000;
/** Characters that one transaction erases. A single message can exceed this; an answer can have half as many. */
export const charactersPerBatch = 400_000;
/** Time in ms until the next look at a deleted chat whose answer is still running. */
const againMs = 60_000;
const erasing = job('erases deleted chats');
const scope = jobScope('erasing deleted chats');
type Input = JobInput<typeof eraseChat>;

/**
 * Erases chats 7 days after their deletion, or when someone erases them now. Erases messages with their search keys,
 * the text of answers, and the rest of their feedback. Keeps usage, and a row of the chat without words (ADR 0034).
 * Each batch is one transaction, so another process can continue; two can work on the same chat.
 */
@Injectable()
export class ConversationEraser implements JobRunner<Input> {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly conversationsService: ConversationsService,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async run({ orgId, conversationId }: Input, run: JobRun): Promise<GoesOn | void> {
    const found = await this.conversations.find(scope.in(orgId), conversationId);
    if (!found?.isDeleted || found.erasure === 'done') return;
    const now = this.clock.now();
    const eraseAt = found.eraseAt ?? (await this.date(found, now));
    if (found.erasure !== 'begun' && eraseAt > now) return goOn(eraseAt);
    const chat = found.erasure === 'begun' ? found : await this.begin(found, now);
    // The chat was restored meanwhile, or got a later erasure date.
    if (!chat) return goOn();
    if (chat.running) return goOn(new Date(now.getTime() + againMs));
    return inBatches(run, () => this.eraseSome(chat));
  }

  /** Sets a missing erasure date, seven days from now, for a chat that an earlier version deleted. */
  private async date({ _id: id, orgId }: StoredConversation, now: Date): Promise<Date> {
    const eraseAt = new Date(now.getTime() + keepDeletedMs);
    await this.work.run(erasing, (tx) => this.conversations.dateDeletion(scope.in(orgId), { id, eraseAt }, tx));
    return eraseAt;
  }

  private begin({ _id: id, orgId }: StoredConversation, now: Date): Promise<StoredConversation | null> {
    return this.work.run(erasing, async (tx) => {
      const begun = await this.conversations.beginErasingDue(scope.in(orgId), { id, now }, tx);
      if (begun) recordErased(tx, begun);
      return begun;
    });
  }

  /** Erases one batch of a chat whose erasing has begun; returns true if that was the last. */
  async eraseSome(conversation: StoredConversation): Promise<boolean> {
    const { _id: conversationId, orgId } = conversation;
    return this.work.run(erasing, async (tx) => {
      const found = await this.messages.someOf(scope, { conversationId, limit: messagesPerBatch }, tx);
      const batch = found.slice(0, fittingCount(found));
      await this.generations.forgetText(
        scope,
        batch.flatMap(({ generationId }) => generationId ?? []),
        tx,
      );
      await this.conversationsService.erased(scope.in(orgId), { messages: batch, conversationId: null }, tx);
      await this.messages.delete(
        scope,
        batch.map(({ _id }) => _id),
        tx,
      );
      if (found.length > 0) return false;
      if (await this.conversationsService.end(scope.in(orgId), { conversation, root: null }, tx)) return false;
      await this.conversationsService.erased(scope.in(orgId), { messages: [], conversationId }, tx);
      await this.conversations.finishErasing(scope, conversationId, tx);
      return true;
    });
  }
}

/** Returns how many of these messages one transaction can delete, by their text and index rows; at least one. */
export function fittingCount(messages: readonly Pick<NewMessage, 'searchKeys' | 'text'>[]): number {
  let [keys, characters] = [0, 0];
  const tooMany = messages.findIndex(({ searchKeys, text }) => {
    keys += searchKeys.length;
    characters += text.length;
    return keys > keysPerBatch || characters > charactersPerBatch;
  });
  return tooMany === -1 ? messages.length : Math.max(1, tooMany);
}
