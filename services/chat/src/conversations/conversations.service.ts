import { Injectable } from '@nestjs/common';
import {
  conversationChanged,
  Problem,
  type Conversation,
  type ConversationId,
  type PersonPrincipal,
  type UserId,
} from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import { toConversation, type StoredConversation } from './conversation.ts';
import { ConversationsRepository, type ListPosition } from './conversations.repository.ts';

type Change = 'created' | 'renamed' | 'deleted' | 'restored';

@Injectable()
export class ConversationsService {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly work: Work,
  ) {}

  async list(
    scope: OrganisationScope,
    owner: UserId,
    page: { limit: number; cursor?: string },
  ): Promise<{ items: Conversation[]; nextCursor: string | null }> {
    const found = await this.conversations.list(scope, owner, {
      after: readCursor(page.cursor),
      limit: page.limit + 1,
    });
    const shown = found.slice(0, page.limit);
    const last = found.length > page.limit ? shown.at(-1) : undefined;
    return {
      items: shown.map(toConversation),
      nextCursor: last ? `${last.lastActivityAt.getTime()}.${last._id}` : null,
    };
  }

  /** Someone else's or a deleted one is `chat.conversation-not-found`. */
  async find(scope: OrganisationScope, owner: UserId, id: ConversationId): Promise<StoredConversation> {
    const conversation = await this.conversations.find(scope, owner, id);
    if (!conversation) throw new Problem('chat.conversation-not-found');
    return conversation;
  }

  async rename(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    change: { id: ConversationId; version: number; title: string },
  ): Promise<Conversation> {
    const renamed = await this.work.run(principal, async (tx) => {
      const conversation = await this.conversations.rename(scope, principal.userId, change, tx);
      if (conversation) this.record(tx, conversation, 'renamed');
      return conversation;
    });
    if (!renamed)
      throw new Problem('platform.conflict', {
        current: toConversation(await this.find(scope, principal.userId, change.id)),
      });
    return toConversation(renamed);
  }

  async delete(scope: OrganisationScope, principal: PersonPrincipal, id: ConversationId): Promise<void> {
    await this.setDeleted(scope, principal, { id, isDeleted: true });
  }

  async restore(scope: OrganisationScope, principal: PersonPrincipal, id: ConversationId): Promise<Conversation> {
    return toConversation(await this.setDeleted(scope, principal, { id, isDeleted: false }));
  }

  /** Records the event of a change whose sequence the conversation carries now. */
  record(tx: Transaction, conversation: StoredConversation, change: Change): void {
    const { _id, orgId, ownerId, sequence } = conversation;
    const data = { orgId, conversationId: _id, memberIds: [ownerId], change };
    tx.record(conversationChanged, data, { sequence });
  }

  private async setDeleted(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    change: { id: ConversationId; isDeleted: boolean },
  ): Promise<StoredConversation> {
    const owner = principal.userId;
    const changed = await this.work.run(principal, async (tx) => {
      const conversation = await this.conversations.setDeleted(scope, owner, { ...change, now: new Date() }, tx);
      if (conversation) this.record(tx, conversation, change.isDeleted ? 'deleted' : 'restored');
      return conversation;
    });
    const conversation = changed ?? (await this.conversations.find(scope, owner, change.id, { withDeleted: true }));
    if (!conversation) throw new Problem('chat.conversation-not-found');
    return conversation;
  }
}

function readCursor(cursor: string | undefined): ListPosition | null {
  if (cursor === undefined) return null;
  const [, time, id] = /^(\d{1,15})\.(cnv_[0-9A-Z]{26})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined)
    throw new Problem('platform.invalid-request', {
      errors: [{ path: 'query.cursor', message: 'not a cursor of this list' }],
    });
  return { lastActivityAt: new Date(Number(time)), id: id as ConversationId };
}
