import { Injectable } from '@nestjs/common';
import { allows, type ConversationId, type Holder, type OwnPermission } from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { Member } from '@parley/platform/service';
import { searchScope } from '@parley/platform/text';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import type { StoredConversation } from './conversation.collection.ts';
import { ConversationsRepository, type Visible } from './conversations.repository.ts';

/** Who looks or acts: a member of the tab's organisation. The input of an organisation's route is a viewer. */
export type Viewer = { readonly scope: OrganisationScope; readonly principal: Member };
/** Names whose things are looked for, once their rights have been asked. */
export type Owner = { readonly scope: OrganisationScope; readonly principal: Pick<Member, 'userId'> };
type Kept = Pick<StoredConversation, 'orgId' | 'ownerId'>;
type Address = { readonly orgId: OrgId; readonly conversationId: ConversationId; readonly memberIds: UserId[] };

// Who may see a conversation is said in this file and nowhere else: it is its owner's alone.

/** The conversations that the viewer may see, for lists and for changes that check and write in one step. */
export const visibleTo = ({ principal }: Owner): Visible => ({ ownerId: principal.userId });
/** Of a conversation that the viewer begins. */
export const ownedBy = ({ principal }: Viewer): Visible => ({ ownerId: principal.userId });
/** How each event of a conversation begins: where it happened and whose tabs hear of it. */
export const addressOf = ({ _id, orgId, ownerId }: StoredConversation): Address => ({
  orgId,
  conversationId: _id,
  memberIds: [ownerId],
});
/** Under which name the search keeps its messages; whoever looks for words looks under the own one. */
export const searchScopeOf = ({ orgId, ownerId }: Kept): string => searchScope(orgId, ownerId);
export const ownSearchScope = ({ scope, principal }: Viewer): string => searchScope(scope.orgId, principal.userId);

const holderOf = ({ principal }: Viewer): Holder => ({
  userId: principal.userId,
  permissions: principal.organisation.permissions,
});

/** Finds conversations for whoever may see them. */
@Injectable()
export class ConversationAccess {
  constructor(private readonly conversations: ConversationsRepository) {}

  /** Somebody else's, a deleted and an unknown one are all `chat.conversation-not-found`. */
  async read(viewer: Viewer, id: ConversationId): Promise<StoredConversation> {
    const conversation = await this.find(viewer, id);
    if (!conversation || conversation.isDeleted) throw new Problem('chat.conversation-not-found');
    return conversation;
  }

  /** Deleted ones too, for whoever may take that back; null for what the viewer may not see. */
  async find(viewer: Viewer, id: ConversationId, tx?: Transaction): Promise<StoredConversation | null> {
    const conversation = await this.conversations.find(viewer.scope, id, tx);
    return conversation && this.allows(viewer, 'chat:read', conversation) ? conversation : null;
  }

  private allows(viewer: Viewer, permission: OwnPermission, conversation: StoredConversation): boolean {
    return allows(holderOf(viewer), permission, conversation);
  }
}
