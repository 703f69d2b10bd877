import { Injectable } from '@nestjs/common';
import { queueChanged, type ConversationId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';

type Mark = { readonly id: ConversationId; readonly isQueueHeld: boolean };

/** What the row of a conversation says of its queue. Whatever changes the queue changes it too, so two changes never overlap. */
@Injectable()
export class QueueMarks {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(conversationRows);
  }

  /** One more question waits in it, for the answer before or for its person. */
  async add(scope: OrganisationScope, { id, isQueueHeld }: Mark, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $inc: { queued: 1 }, $set: { isQueueHeld } });
  }

  /** So many of its questions wait no longer. */
  async remove(
    scope: OrganisationScope,
    { id, count }: { readonly id: ConversationId; readonly count: number },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $inc: { queued: -count } });
  }

  /** Its queue waits for its person, or goes on. */
  async hold(scope: OrganisationScope, { id, isQueueHeld }: Mark, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $set: { isQueueHeld } });
  }

  /** Those whose next question can be asked now, the one first that waits for longest. */
  listReady(scope: PlatformScope, limit: number): Promise<StoredConversation[]> {
    return this.rows.within(scope).find(ready, { sort: { lastActivityAt: 1 }, limit });
  }

  /** As `listReady`, the first one of the person behind that one's; without one of the first person. */
  async nextReady(scope: PlatformScope, last: StoredConversation | null): Promise<StoredConversation | null> {
    const rows = this.rows.within(scope);
    const sort = { orgId: 1, ownerId: 1 } as const;
    if (!last) return rows.findOne(ready, { sort });
    const { orgId, ownerId } = last;
    const colleague = await rows.findOne({ ...ready, orgId, ownerId: { $gt: ownerId } }, { sort });
    return colleague ?? rows.findOne({ ...ready, orgId: { $gt: orgId } }, { sort });
  }
}

const ready = { queued: { $gt: 0 }, isQueueHeld: false, running: null, isDeleted: false } as const;

/** Records that what waits in it has changed. */
export function recordQueue(tx: Transaction, { _id, orgId, ownerId }: StoredConversation): void {
  tx.record(queueChanged, { orgId, conversationId: _id, userId: ownerId });
}
