import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { Flows, type Waiting } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { ChatSettings } from '../../chat.config.ts';
import {
  ConversationsRepository,
  ConversationsService,
  MessagesRepository,
  type NewMessage,
  type StoredConversation,
} from '../../conversations/index.ts';
import { GenerationsRepository } from '../generations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { ErasingByTurns } from './erasing-by-turns.ts';
import { recordErased } from './record-erased.ts';

/** Rung when somebody has begun to erase a chat. */
export const chatsToErase = 'chat:chats-to-erase';

/** Messages of one transaction, each with its answer's generation (ADR 0032). */
export const messagesPerBatch = 20;
/** Rows of the index that one transaction deletes, or those of one message. */
export const keysPerBatch = 2_000;
/** So much text goes with one transaction, or that of one message; an answer may have half as much. */
export const charactersPerBatch = 400_000;
const erasing = job('erases deleted chats');
const scope = jobScope('erasing deleted chats');

/**
 * Erases chats that were deleted 7 days ago, or that somebody erases now: messages with the words by which they are
 * found, the text of answers, and what is left of their feedback. Usage stays, and of the chat a row without words
 * (ADR 0034). Each batch is one transaction, so it goes on where another process ended; two may work on the same chat.
 */
@Injectable()
export class ConversationEraser implements OnApplicationBootstrap, OnApplicationShutdown {
  private stopListening = () => {};
  private readonly turns: ErasingByTurns<StoredConversation>;

  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly conversationsService: ConversationsService,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
    private readonly flows: Flows,
  ) {
    this.turns = new ErasingByTurns<StoredConversation>({
      what: 'chats',
      platform,
      run: () => this.erase(),
      waitingOf: (one) => this.waitingOf(one),
      next: (last) => conversations.nextErasing(scope, last),
      eraseSome: (one) => this.eraseSome(one),
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.workers === 0) return;
    this.stopListening = this.platform.doorbell.on(chatsToErase, () => this.turns.wake());
    this.turns.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopListening();
    await this.turns.stop();
  }

  /** All that there is to do now. */
  async erase(): Promise<void> {
    const now = this.clock.now();
    await this.conversations.dateDeletions(scope, new Date(now.getTime() + keepDeletedMs));
    while (!this.turns.isStopped && (await this.beginDue(now)));
    const oldest = (limit: number) => this.conversations.listErasing(scope, limit);
    await this.turns.all({ oldest, isDue: () => true });
  }

  private waitingOf({ orgId, ownerId, eraseAt, lastActivityAt }: StoredConversation): Waiting {
    return { flow: this.flows.of(orgId), person: ownerId, arrivedAt: eraseAt ?? lastActivityAt };
  }

  /** Whether there was one whose time has come. */
  private beginDue(now: Date): Promise<boolean> {
    return this.work.run(erasing, async (tx) => {
      const begun = await this.conversations.beginErasingDue(scope, now, tx);
      if (begun) recordErased(tx, begun);
      return begun !== null;
    });
  }

  /** Erases one batch of a chat whose erasing has begun. */
  async eraseSome(conversation: StoredConversation): Promise<void> {
    const { _id: conversationId, orgId } = conversation;
    await this.work.run(erasing, async (tx) => {
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
      if (found.length > 0) return;
      if (await this.conversationsService.end(scope.in(orgId), { conversation, root: null }, tx)) return;
      await this.conversationsService.erased(scope.in(orgId), { messages: [], conversationId }, tx);
      await this.conversations.finishErasing(scope, conversationId, tx);
    });
  }
}

/** How many of these one transaction may delete, by their text and the rows that they have in the index; one at least. */
export function fittingCount(messages: readonly Pick<NewMessage, 'searchKeys' | 'text'>[]): number {
  let [keys, characters] = [0, 0];
  const tooMany = messages.findIndex(({ searchKeys, text }) => {
    keys += searchKeys.length;
    characters += text.length;
    return keys > keysPerBatch || characters > charactersPerBatch;
  });
  return tooMany === -1 ? messages.length : Math.max(1, tooMany);
}
