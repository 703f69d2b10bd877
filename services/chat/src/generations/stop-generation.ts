import { Injectable } from '@nestjs/common';
import { Problem, type ConversationId, type GenerationId, type GenerationStatus, type UserId } from '@parley/contracts';
import { Doorbell } from '@parley/platform/doorbell';
import type { OrganisationScope } from '@parley/platform/mongo';
import { ConversationsService } from '../conversations/index.ts';
import { GenerationsRepository } from '../messages/index.ts';
import { GenerationQueue, stopsWanted } from './generation-queue.ts';

/** A command, never a disconnect: the worker that holds the answer ends it with the text so far. */
@Injectable()
export class StopGeneration {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly generations: GenerationsRepository,
    private readonly queue: GenerationQueue,
    private readonly doorbell: Doorbell,
  ) {}

  async stop(
    scope: OrganisationScope,
    owner: UserId,
    which: { conversationId: ConversationId; generationId: GenerationId },
  ): Promise<{ status: GenerationStatus }> {
    await this.conversations.find(scope, owner, which.conversationId);
    const generation = await this.generations.find(scope, which.conversationId, which.generationId);
    if (!generation) throw new Problem('chat.generation-not-found');
    await this.generations.requestStop(scope, which.generationId);
    this.doorbell.ring(stopsWanted);
    if (generation.status === 'queued') this.queue.reserve()?.takeOver(generation);
    return { status: generation.status };
  }
}
