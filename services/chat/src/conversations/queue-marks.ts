import { Injectable } from '@nestjs/common';
import { queueChanged, type ConversationId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { askWhenReady } from './queue-jobs.ts';

type Mark = { readonly id: ConversationId; readonly isQueueHeld: boolean };

/**
 * Stores the state of a queue in its conversation's row. Each change of the queue writes this row, so that two changes
 * conflict instead of overlapping.
 */
@Injectable()
export class QueueMarks {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(conversationRows);
  }

  /** Counts a new question, which waits for the running answer, or for its person. */
  async add(scope: OrganisationScope, { id, isQueueHeld }: Mark, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $inc: { queued: 1 }, $set: { isQueueHeld } });
  }

  /** Subtracts questions that left the queue. */
  async remove(
    scope: OrganisationScope,
    { id, count }: { readonly id: ConversationId; readonly count: number },
    tx: Transaction,
  ): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: id }, { $inc: { queued: -count } });
  }

  /** Puts the queue on hold until its person continues it; with `isQueueHeld` false, continues it. */
  async hold(scope: OrganisationScope, { id, isQueueHeld }: Mark, tx: Transaction): Promise<void> {
    const row = await this.rows.within(scope, tx).change({ _id: id }, { $set: { isQueueHeld } });
    if (row) askWhenReady(tx, row);
  }
}

/** Records a change of the conversation's queue. */
export function recordQueue(tx: Transaction, { _id, orgId, ownerId }: StoredConversation): void {
  tx.record(queueChanged, { orgId, conversationId: _id, userId: ownerId });
}
