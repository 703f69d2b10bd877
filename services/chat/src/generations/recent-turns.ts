import { Injectable } from '@nestjs/common';
import type { ConversationId } from '@parley/contracts';
import { isStoreAway, type OrganisationScope, type PlatformScope } from '@parley/platform/mongo';
import { LRUCache } from 'lru-cache';
import { MessagesRepository, type TurnRow } from '../conversations/index.ts';
import type { Generation } from './generation.collection.ts';

const historyMessages = 40;
/** Of all conversations; one with much more text than a model is told of it has none. */
const mostCharacters = 2_000_000;
const mostOfOne = 100_000;
const keptMs = 10 * 60_000;

/** The newest messages of a conversation when it had that sequence. */
type Ahead = { readonly sequence: number; readonly rows: readonly TurnRow[] };

/**
 * What a model is told of conversations. It may be read when an answer ends, ahead of the next question, which then need
 * not wait for it. What was read ahead counts for the sequence of then only: whatever changes a message takes one.
 */
@Injectable()
export class RecentTurns {
  private readonly ahead = new LRUCache<ConversationId, Ahead>({
    maxSize: mostCharacters,
    maxEntrySize: mostOfOne,
    sizeCalculation: ({ rows }) => rows.reduce((sum, { text }) => sum + text.length, 1),
    ttl: keptMs,
    ttlAutopurge: true,
  });

  constructor(private readonly messages: MessagesRepository) {}

  /**
   * The newest messages, ascending. `before` tells the sequence that the conversation had before a new question, once the
   * store has let that in; without it they are read.
   */
  async list(
    scope: OrganisationScope,
    conversationId: ConversationId,
    before: Promise<number> | undefined,
  ): Promise<readonly TurnRow[]> {
    const ahead = before && this.ahead.get(conversationId);
    if (ahead && (await before) === ahead.sequence) return ahead.rows;
    return this.messages.newest(scope, conversationId, historyMessages);
  }

  /** Reads them for the next question; `sequence` is what the conversation had before this call. */
  async readAhead(
    scope: PlatformScope,
    { conversationId, orgId }: Pick<Generation, 'conversationId' | 'orgId'>,
    sequence: number,
  ): Promise<void> {
    try {
      const rows = await this.messages.newest(scope.in(orgId), conversationId, historyMessages);
      this.ahead.set(conversationId, { sequence, rows });
    } catch (error) {
      if (!isStoreAway(error)) throw error;
    }
  }
}
