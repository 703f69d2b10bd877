import { conversationErased } from '@parley/contracts';
import type { Transaction } from '@parley/platform/mongo';
import type { StoredConversation } from '../../conversations/index.ts';

/** Records that the chat can't be restored any more, with the chat's current sequence. */
export function recordErased(tx: Transaction, { _id, orgId, ownerId, sequence }: StoredConversation): void {
  tx.record(conversationErased, { orgId, conversationId: _id, userId: ownerId }, { sequence });
}
