import { Injectable } from '@nestjs/common';
import type { ConversationId, MessageId } from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import type { StoredConversation } from './conversation.collection.ts';
import { hasOnePath } from './conversation.ts';
import { ConversationsRepository } from './conversations.repository.ts';
import { assertRoom, runOf, standingInLine, standingUnder, type Standing } from './message-tree.ts';
import { isDeleted, MessagePaths, type Located } from './message-paths.ts';
import { MessagesRepository } from './messages.repository.ts';
import { treeOf } from './standings.ts';

/** A message that another one follows. */
export type Parent = Standing & Pick<Located, '_id' | 'role'>;

/** Gives new messages their place in the tree of their conversation (ADR 0042). */
@Injectable()
export class MessagePlaces {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly messages: MessagesRepository,
    private readonly paths: MessagePaths,
    private readonly work: Work,
  ) {}

  /** Recomputes the places of all messages of a conversation from their parents. */
  async placeAnew(scope: OrganisationScope, id: ConversationId): Promise<void> {
    await this.work.run(job('places messages'), async (tx) => {
      const current = await this.conversations.find(scope, id, tx);
      if (!current) return;
      const { changes, lastRun, deletions } = treeOf(await this.messages.toPlace(scope, id, tx), {
        runningId: current.running?.answerId ?? null,
        isLine: false,
      });
      await this.messages.place(scope, changes, tx);
      const isCounted = deletions > 0 || current.deletions !== undefined;
      await this.conversations.setPlaced(scope, { id, lastRun, ...(isCounted && { deletions }) }, tx);
    });
  }

  /**
   * Returns the place of a new message below `parentId` (null: at the start), and that parent. Pass the conversation as
   * this transaction has just changed it. Throws `chat.message-not-found` if the parent isn't in the conversation,
   * `chat.too-many-versions` if there is no room.
   */
  async under(
    scope: OrganisationScope,
    { conversation, parentId }: { conversation: StoredConversation; parentId: MessageId | null },
    tx: Transaction,
  ): Promise<{ readonly standing: Standing; readonly parent: Parent | null }> {
    const { _id: conversationId, lastRun: known } = conversation;
    const parent = parentId ? await this.paths.locate(scope, conversationId, parentId, tx) : null;
    if (parentId && (!parent || (await this.isDeleted(scope, { conversation, parent }, tx))))
      throw new Problem('chat.message-not-found');
    const children = await this.messages.childrenOf(scope, { conversationId, parentId }, tx);
    const { lastRun, ...standing } = standingUnder(parent, { children, lastRun: known });
    assertRoom(children, standing);
    if (lastRun !== known) await this.conversations.setPlaced(scope, { id: conversationId, lastRun }, tx);
    return { standing, parent };
  }

  private async isDeleted(
    scope: OrganisationScope,
    { conversation, parent }: { conversation: StoredConversation; parent: Located },
    tx: Transaction,
  ): Promise<boolean> {
    if (!conversation.deletions) return false;
    return isDeleted(parent, await this.paths.deletedRoots(scope, conversation._id, tx));
  }
}

/**
 * Returns the newest answer of a conversation with one path, before `added` new messages, without a read. Most
 * conversations have only one path; null for all others.
 */
export function endOfLine(conversation: StoredConversation, added: number): Parent | null {
  const { lastAnswerId, lastPosition } = conversation;
  if (!lastAnswerId || !hasOnePath(conversation)) return null;
  return { _id: lastAnswerId, role: 'assistant', ...standingInLine(lastPosition - added) };
}

/** Returns whether the conversation still has one path after a message is added at this place. */
export const isLine = (conversation: StoredConversation, { place }: Pick<Standing, 'place'>): boolean =>
  hasOnePath(conversation) && runOf(place) === 1;
