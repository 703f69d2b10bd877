import { conversationErased } from '@parley/contracts';
import type { Transaction } from '@parley/platform/mongo';
import type { StoredConversation } from '../../conversations/index.ts';

/** Records that nobody can restore a chat any more, with its present sequence. */
export function recordErased(tx: Transaction, { _id, orgId, ownerId, sequence }: StoredConversation): void {
  tx.record(conversationErased, { orgId, conversationId: _id, userId: ownerId }, { sequence });
}
