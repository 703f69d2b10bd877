import { Injectable } from '@nestjs/common';
import {
  conversationChanged,
  conversationReadMarked,
  type Conversation,
  type ConversationId,
  type deleteConversation,
  type getConversation,
  type listConversations,
  type markRead,
  type renameConversation,
  type restoreConversation,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { keepDeletedMs } from '../keep-deleted.ts';
import { addressOf, ConversationAccess, visibleTo, type Viewer } from './access.ts';
import type { StoredConversation } from './conversation.collection.ts';
import { isUnread, toMarked } from './conversation.ts';
import { ConversationLists } from './conversation-lists.ts';
import { ConversationsRepository } from './conversations.repository.ts';
import type { NewMessage } from './message.collection.ts';
import type { Located } from './message-paths.ts';

/** A deleted conversation, or one with the root of the messages deleted in it. */
export type Deleted = { readonly conversation: StoredConversation; readonly root: Located | null };
type Change = 'created' | 'renamed' | 'deleted' | 'restored';
/** Work that another feature registers for the deletion of a conversation; this module doesn't know the feature. */
type Ending = {
  /**
   * Called in the transaction that deletes. Returns true if more work is left, and is then called again in the next
   * transaction.
   */
  readonly record: (scope: OrganisationScope, deleted: Deleted, tx: Transaction) => Promise<boolean>;
  /** Called once the deletion is stored. */
  readonly apply: () => void;
};

/** The messages that are erased and, with the last of a conversation, the conversation. */
export type Erased = {
  readonly messages: readonly Pick<NewMessage, 'files'>[];
  /** The conversation if all of it is erased; null if messages are left. */
  readonly conversationId: ConversationId | null;
};
type Forget = (scope: OrganisationScope, erased: Erased, tx: Transaction) => Promise<void>;

@Injectable()
export class ConversationsService {
  private readonly endings: Ending[] = [];
  private readonly forgetting: Forget[] = [];

  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly lists: ConversationLists,
    private readonly access: ConversationAccess,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  whenDeleted(ending: Ending): void {
    this.endings.push(ending);
  }

  /** Registers a function that is called in the transaction that erases messages, before it erases them. */
  whenErased(forget: Forget): void {
    this.forgetting.push(forget);
  }

  list(input: InputOf<typeof listConversations>): Promise<ResponseOf<typeof listConversations>> {
    const { scope, query } = input;
    return this.lists.list(scope, { query, visible: visibleTo(input), to: toMarked });
  }

  async read(input: InputOf<typeof getConversation>): Promise<Conversation> {
    return toMarked(await this.access.read(input, input.params.conversationId));
  }

  async markRead({ scope, principal, params, body, ...input }: InputOf<typeof markRead>): Promise<void> {
    const conversation = await this.access.read({ ...input, scope, principal }, params.conversationId);
    if (body.sequence < conversation.sequence || !isUnread(conversation)) return;
    const { _id: id, orgId, answersEnded: answersSeen = 0 } = conversation;
    const { userId } = principal;
    await this.work.run(principal, async (tx) => {
      await this.conversations.see(scope, { visible: visibleTo({ scope, principal }), id, answersSeen }, tx);
      tx.record(conversationReadMarked, {
        orgId,
        conversationId: id,
        memberIds: [userId],
        userId,
        upTo: conversation.sequence,
      });
    });
  }

  async rename(input: InputOf<typeof renameConversation>): Promise<Conversation> {
    const { scope, principal, params, body } = input;
    const renamed = await this.work.run(principal, async (tx) => {
      const change = { visible: visibleTo(input), id: params.conversationId, ...body };
      const conversation = await this.conversations.rename(scope, change, tx);
      if (conversation) record(tx, conversation, 'renamed');
      return conversation;
    });
    if (renamed) return toMarked(renamed);
    const current = await this.access.read(input, params.conversationId);
    throw new Problem('platform.conflict', { current: toMarked(current) });
  }

  async delete(input: InputOf<typeof deleteConversation>): Promise<void> {
    const { scope, principal, params } = input;
    const now = this.clock.now();
    const eraseAt = new Date(now.getTime() + keepDeletedMs);
    const wanted = { visible: visibleTo(input), id: params.conversationId, now, eraseAt };
    let isMore = false;
    const deleted = await this.work.run(principal, async (tx) => {
      const conversation = await this.conversations.delete(scope, wanted, tx);
      if (!conversation) return null;
      record(tx, conversation, 'deleted');
      isMore = await this.end(scope, { conversation, root: null }, tx);
      return conversation;
    });
    if (!deleted) return void (await this.findAny(input, params.conversationId));
    this.applyEnd();
    while (isMore)
      isMore = await this.work.run(principal, (tx) => this.end(scope, { conversation: deleted, root: null }, tx));
  }

  async restore(input: InputOf<typeof restoreConversation>): Promise<Conversation> {
    const { scope, principal, params } = input;
    const wanted = { visible: visibleTo(input), id: params.conversationId };
    const restored = await this.work.run(principal, async (tx) => {
      const conversation = await this.conversations.restore(scope, wanted, tx);
      if (conversation) record(tx, conversation, 'restored');
      return conversation;
    });
    const conversation = restored ?? (await this.findAny(input, params.conversationId));
    if (conversation.isDeleted) throw new Problem('chat.conversation-erased');
    return toMarked(conversation);
  }

  /**
   * Runs one step of the work that other features registered with `whenDeleted`. Returns true if more is left for the
   * next transaction.
   */
  async end(scope: OrganisationScope, deleted: Deleted, tx: Transaction): Promise<boolean> {
    let isMore = false;
    for (const ending of this.endings) isMore = (await ending.record(scope, deleted, tx)) || isMore;
    return isMore;
  }

  /** Calls the functions that `whenErased` registered, for messages that are being erased. */
  async erased(scope: OrganisationScope, erased: Erased, tx: Transaction): Promise<void> {
    for (const forget of this.forgetting) await forget(scope, erased, tx);
  }

  /** Calls each feature's `apply`. Call it once the deletion is stored. */
  applyEnd(): void {
    for (const ending of this.endings) ending.apply();
  }

  /** Deleted ones too. */
  private async findAny(viewer: Viewer, id: ConversationId): Promise<StoredConversation> {
    const conversation = await this.access.find(viewer, id);
    if (!conversation) throw new Problem('chat.conversation-not-found');
    return conversation;
  }
}

/** Records a change under the conversation's current sequence. */
export function record(tx: Transaction, conversation: StoredConversation, change: Change): void {
  tx.record(conversationChanged, { ...addressOf(conversation), change }, { sequence: conversation.sequence });
}
