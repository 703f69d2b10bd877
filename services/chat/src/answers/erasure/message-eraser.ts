import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { Flows, type Waiting } from '@parley/platform/fair-turns';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { ChatSettings } from '../../chat.config.ts';
import {
  ConversationsRepository,
  ConversationsService,
  MessagesRepository,
  standingOf,
  type MessageRow,
} from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { GenerationsRepository } from '../generations/index.ts';
import { fittingCount, messagesPerBatch } from './conversation-eraser.ts';
import { ErasingByTurns } from './erasing-by-turns.ts';

const erasing = job('erases deleted messages');
const scope = jobScope('erasing deleted messages');

/**
 * Erases messages that were deleted 7 days ago with all that follows from them, what follows first: a job that is killed
 * goes on anywhere. Usage stays, as of a deleted chat (ADR 0034).
 */
@Injectable()
export class MessageEraser implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly turns: ErasingByTurns<MessageRow>;

  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly conversationsService: ConversationsService,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    platform: Platform,
    private readonly flows: Flows,
  ) {
    this.turns = new ErasingByTurns<MessageRow>({
      what: 'messages',
      platform,
      run: () => this.erase(),
      waitingOf: (row) => this.waitingOf(row),
      next: (last) => messages.nextDeleted(scope, last),
      eraseSome: (row) => this.eraseSome(row),
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.workers > 0) this.turns.start();
  }

  onApplicationShutdown(): Promise<void> {
    return this.turns.stop();
  }

  /** All that there is to do now. */
  async erase(): Promise<void> {
    const until = new Date(this.clock.now().getTime() - keepDeletedMs);
    await this.turns.all({
      oldest: (limit) => this.messages.listDeleted(scope, until, limit),
      isDue: ({ deletedAt }) => deletedAt !== null && deletedAt !== undefined && deletedAt <= until,
    });
  }

  private waitingOf({ orgId, deletedBy, conversationId, deletedAt, createdAt }: MessageRow): Waiting {
    return { flow: this.flows.of(orgId), person: deletedBy ?? conversationId, arrivedAt: deletedAt ?? createdAt };
  }

  /** One batch of what follows from it, or the message itself where that was all. */
  async eraseSome({ _id: id, conversationId, orgId }: MessageRow): Promise<void> {
    await this.work.run(erasing, async (tx) => {
      // Another process may have erased it meanwhile.
      const root = await this.messages.find(scope.in(orgId), { conversationId, id }, tx);
      if (!root || (await this.isMoreToEnd(root, tx))) return;
      const message = standingOf(root);
      const wanted = message && { conversationId, message, limit: messagesPerBatch };
      const found = wanted ? await this.messages.someBelow(scope, wanted, tx) : [];
      const batch = found.length > 0 ? found.slice(0, fittingCount(found)) : [root];
      const generationIds = batch.flatMap(({ generationId }) => generationId ?? []);
      await this.generations.forgetText(scope, generationIds, tx);
      await this.conversationsService.erased(scope.in(orgId), { messages: batch, conversationId: null }, tx);
      const ids = batch.map(({ _id }) => _id);
      await this.messages.delete(scope, ids, tx);
      const count = batch.filter(({ deletedAt }) => deletedAt).length;
      if (count > 0) await this.conversations.forgetDeletions(scope, { id: conversationId, count }, tx);
    });
  }

  /** What has come since the deletion, or what that has left because its process ended. */
  private async isMoreToEnd(root: MessageRow, tx: Transaction): Promise<boolean> {
    const { _id, conversationId, orgId, parentId, role, generationId } = root;
    const standing = standingOf(root);
    const conversation = await this.conversations.find(scope.in(orgId), conversationId, tx);
    if (!standing || !conversation) return false;
    const located = { _id, parentId, role, generationId, ...standing };
    return this.conversationsService.end(scope.in(orgId), { conversation, root: located }, tx);
  }
}
