import { Injectable } from '@nestjs/common';
import { queueChanged, type ConversationId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { askWhenReady } from './queue-jobs.ts';

type Mark = { readonly id: ConversationId; readonly isQueueHeld: boolean };

/**
 * What the row of a conversation says of its queue. Each change of the queue changes it too, so two changes never
 * overlap.
 */
@Injectable()
export class QueueMarks {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(conversationRows);
  }

  /** Adds a waiting question, which waits for the answer before or for its person. */
  async add(scope: OrganisationScope, { id, isQueueHeld }: Mark, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $inc: { queued: 1 }, $set: { isQueueHeld } });
  }

  /** Removes questions that don't wait any more. */
  async remove(
    scope: OrganisationScope,
    { id, count }: { readonly id: ConversationId; readonly count: number },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $inc: { queued: -count } });
  }

  /** Makes its queue wait for its person, or continue. */
  async hold(scope: OrganisationScope, { id, isQueueHeld }: Mark, tx: Transaction): Promise<void> {
    const row = await this.rows.within(scope, tx).change({ _id: id }, { $set: { isQueueHeld } });
    if (row) askWhenReady(tx, row);
  }
}

/** Records a change of its queue. */
export function recordQueue(tx: Transaction, { _id, orgId, ownerId }: StoredConversation): void {
  tx.record(queueChanged, { orgId, conversationId: _id, userId: ownerId });
}
