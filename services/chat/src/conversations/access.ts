import { Injectable } from '@nestjs/common';
import { allows, type ConversationId, type Holder } from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { Member } from '@parley/platform/service';
import { searchScope } from '@parley/platform/text';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import type { StoredConversation } from './conversation.collection.ts';
import { ConversationsRepository, type Visible } from './conversations.repository.ts';

/**
 * The person who reads or acts: a member of the tab's organisation. The input of each organisation route has these
 * fields.
 */
export type Viewer = { readonly scope: OrganisationScope; readonly principal: Member };
/** The owner of the things to find; permissions were checked before. */
export type Owner = { readonly scope: OrganisationScope; readonly principal: Pick<Member, 'userId'> };
type Kept = Pick<StoredConversation, 'orgId' | 'ownerId'>;
type Address = { readonly orgId: OrgId; readonly conversationId: ConversationId; readonly memberIds: UserId[] };

// This file alone decides who can see a conversation: only its owner.

/**
 * Returns the filter for conversations that the viewer can see, for lists and for changes that check and write in one
 * step.
 */
export const visibleTo = ({ principal }: Owner): Visible => ({ ownerId: principal.userId });
/** Returns the owner fields of a conversation that the viewer begins. */
export const ownedBy = ({ principal }: Viewer): Visible => ({ ownerId: principal.userId });
/**
 * Returns the first fields of each conversation event: the organisation and conversation it happened in, and the person
 * whose tabs are notified.
 */
export const addressOf = ({ _id, orgId, ownerId }: StoredConversation): Address => ({
  orgId,
  conversationId: _id,
  memberIds: [ownerId],
});
/** Returns the search scope of a conversation's messages: the scope of its owner. */
export const searchScopeOf = ({ orgId, ownerId }: Kept): string => searchScope(orgId, ownerId);
export const ownSearchScope = ({ scope, principal }: Viewer): string => searchScope(scope.orgId, principal.userId);

const holderOf = ({ principal }: Viewer): Holder => ({
  userId: principal.userId,
  permissions: principal.organisation.permissions,
});

/** Returns whether the viewer can read this conversation now, deleted or not. */
export const canRead = (viewer: Viewer, conversation: StoredConversation): boolean =>
  allows(holderOf(viewer), 'chat:read', conversation);

/** Finds conversations for people who can see them. */
@Injectable()
export class ConversationAccess {
  constructor(private readonly conversations: ConversationsRepository) {}

  /** Throws `chat.conversation-not-found` alike for someone else's, a deleted and an unknown conversation. */
  async read(viewer: Viewer, id: ConversationId): Promise<StoredConversation> {
    const conversation = await this.find(viewer, id);
    if (!conversation || conversation.isDeleted) throw new Problem('chat.conversation-not-found');
    return conversation;
  }

  /**
   * Finds deleted conversations, too, for people who can restore them; null if the viewer can't see the conversation.
   */
  async find(viewer: Viewer, id: ConversationId, tx?: Transaction): Promise<StoredConversation | null> {
    const conversation = await this.conversations.find(viewer.scope, id, tx);
    return conversation && canRead(viewer, conversation) ? conversation : null;
  }
}
