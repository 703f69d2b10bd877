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
import { addressOf, ConversationAccess, visibleTo, type Viewer } from './access.ts';
import type { StoredConversation } from './conversation.collection.ts';
import { toConversation } from './conversation.ts';
import { ConversationsRepository } from './conversations.repository.ts';

type Change = 'created' | 'renamed' | 'deleted' | 'restored';
/** What a feature that knows conversations, but is not known here, does when one is deleted. */
type Ending = {
  /** In the transaction that deletes it. */
  readonly record: (scope: OrganisationScope, conversation: StoredConversation, tx: Transaction) => Promise<void>;
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
    await this.setDeleted(input, { id: input.params.conversationId, isDeleted: true });
  }

  async restore(input: InputOf<typeof restoreConversation>): Promise<Conversation> {
    return toConversation(await this.setDeleted(input, { id: input.params.conversationId, isDeleted: false }));
  }

  private async setDeleted(
    viewer: Viewer,
    change: { id: ConversationId; isDeleted: boolean },
  ): Promise<StoredConversation> {
    const now = this.clock.now();
    const changed = await this.work.run(viewer.principal, async (tx) => {
      const wanted = { ...change, visible: visibleTo(viewer), now };
      const conversation = await this.conversations.setDeleted(viewer.scope, wanted, tx);
      if (conversation) record(tx, conversation, change.isDeleted ? 'deleted' : 'restored');
      if (conversation?.isDeleted)
        for (const ending of this.endings) await ending.record(viewer.scope, conversation, tx);
      return conversation;
    });
    if (changed?.isDeleted) for (const ending of this.endings) ending.apply();
    const conversation = changed ?? (await this.access.find(viewer, change.id));
    if (!conversation) throw new Problem('chat.conversation-not-found');
    return conversation;
  }
}

/** Records a change whose sequence the conversation carries now. */
export function record(tx: Transaction, conversation: StoredConversation, change: Change): void {
  tx.record(conversationChanged, { ...addressOf(conversation), change }, { sequence: conversation.sequence });
}
