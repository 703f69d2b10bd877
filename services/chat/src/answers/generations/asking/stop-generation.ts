import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ConversationId, GenerationId, GenerationStatus } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { Doorbell } from '@parley/platform/doorbell';
import {
  ConversationAccess,
  ConversationsService,
  isOnPath,
  MessagePaths,
  type Viewer,
} from '../../../conversations/index.ts';
import { stopsWanted } from './generation-queue.ts';
import { GenerationsRepository } from '../rows/generations.repository.ts';

type Which = { readonly conversationId: ConversationId; readonly generationId: GenerationId };

/**
 * Stops an answer on command, never because of a disconnect: its worker ends it with the text so far. A queued answer
 * is ended by any worker, even by one without a free slot.
 */
@Injectable()
export class StopGeneration implements OnModuleInit {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly access: ConversationAccess,
    private readonly generations: GenerationsRepository,
    private readonly doorbell: Doorbell,
    private readonly paths: MessagePaths,
  ) {}

  /** Stops the running answer of a conversation when the conversation, or the part with the answer, is deleted. */
  onModuleInit(): void {
    this.conversations.whenDeleted({
      record: async (scope, { conversation: { _id, running }, root }, tx) => {
        const answer = running && root && (await this.paths.locate(scope, _id, running.answerId, tx));
        if (running && (!root || (answer && isOnPath(root, answer))))
          await this.generations.requestStop(scope, running.generationId, tx);
        return false;
      },
      apply: () => this.doorbell.ring(stopsWanted),
    });
  }

  async stop(viewer: Viewer, { conversationId, generationId }: Which): Promise<{ status: GenerationStatus }> {
    await this.access.read(viewer, conversationId);
    const generation = await this.generations.find(viewer.scope, conversationId, generationId);
    if (!generation) throw new Problem('chat.generation-not-found');
    await this.generations.requestStop(viewer.scope, generationId);
    this.doorbell.ring(stopsWanted);
    return { status: generation.status };
  }
}
