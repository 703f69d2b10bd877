import { Injectable } from '@nestjs/common';
import {
  conversationChanged,
  Problem,
  type Conversation,
  type ConversationId,
  type deleteConversation,
  type getConversation,
  type listConversations,
  type renameConversation,
  type ResponseOf,
  type restoreConversation,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { keepDeletedMs } from '../keep-deleted.ts';
import { addressOf, ConversationAccess, visibleTo, type Viewer } from './access.ts';
import type { StoredConversation } from './conversation.collection.ts';
import { toConversation } from './conversation.ts';
import { ConversationsRepository } from './conversations.repository.ts';

type Change = 'created' | 'renamed' | 'deleted' | 'restored';
/** What a feature that knows conversations, but is not known here, does when one is deleted. */
type Ending = {
  /** In the transaction that deletes it; true where that was not all, and it is to be called once more in the next one. */
  readonly record: (scope: OrganisationScope, conversation: StoredConversation, tx: Transaction) => Promise<boolean>;
  /** Once that is durable. */
  readonly apply: () => void;
};

@Injectable()
export class ConversationsService {
  private readonly endings: Ending[] = [];

  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly access: ConversationAccess,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  whenDeleted(ending: Ending): void {
    this.endings.push(ending);
  }

  async list(input: InputOf<typeof listConversations>): Promise<ResponseOf<typeof listConversations>> {
    const { scope, query } = input;
    return this.conversations.list(scope, { query, visible: visibleTo(input), to: toConversation });
  }

  async read(input: InputOf<typeof getConversation>): Promise<Conversation> {
    return toConversation(await this.access.read(input, input.params.conversationId));
  }

  async rename(input: InputOf<typeof renameConversation>): Promise<Conversation> {
    const { scope, principal, params, body } = input;
    const renamed = await this.work.run(principal, async (tx) => {
      const change = { visible: visibleTo(input), id: params.conversationId, ...body };
      const conversation = await this.conversations.rename(scope, change, tx);
      if (conversation) record(tx, conversation, 'renamed');
      return conversation;
    });
    if (renamed) return toConversation(renamed);
    const current = await this.access.read(input, params.conversationId);
    throw new Problem('platform.conflict', { current: toConversation(current) });
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
      isMore = await this.end(scope, conversation, tx);
      return conversation;
    });
    if (!deleted) return void (await this.findAny(input, params.conversationId));
    for (const ending of this.endings) ending.apply();
    while (isMore) isMore = await this.work.run(principal, (tx) => this.end(scope, deleted, tx));
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
    return toConversation(conversation);
  }

  /** Some of what other features do about its end; whether there is more, for the next transaction. */
  async end(scope: OrganisationScope, conversation: StoredConversation, tx: Transaction): Promise<boolean> {
    let isMore = false;
    for (const ending of this.endings) isMore = (await ending.record(scope, conversation, tx)) || isMore;
    return isMore;
  }

  /** Deleted ones too. */
  private async findAny(viewer: Viewer, id: ConversationId): Promise<StoredConversation> {
    const conversation = await this.access.find(viewer, id);
    if (!conversation) throw new Problem('chat.conversation-not-found');
    return conversation;
  }
}

/** Records a change whose sequence the conversation carries now. */
export function record(tx: Transaction, conversation: StoredConversation, change: Change): void {
  tx.record(conversationChanged, { ...addressOf(conversation), change }, { sequence: conversation.sequence });
}
