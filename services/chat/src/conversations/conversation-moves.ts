import { Injectable } from '@nestjs/common';
import { conversationMoved, type moveConversations } from '@parley/contracts';
import { Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import type { ResponseOf } from '@parley/protocol';
import { canRead, visibleTo } from './access.ts';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { ProjectAccess } from './project-access.ts';

type Moved = ResponseOf<typeof moveConversations>;

/** Moves chats between projects. Changes only the rows of the chats. */
@Injectable()
export class ConversationMoves {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(
    mongo: Mongo,
    private readonly projects: ProjectAccess,
    private readonly work: Work,
  ) {
    this.rows = mongo.rows(conversationRows);
  }

  /** Moves many chats in one transaction. One per chat would write the project's row each time, and block others. */
  moveMany(input: InputOf<typeof moveConversations>): Promise<Moved> {
    const { projectId } = input.body;
    const ids = [...new Set(input.body.conversationIds)];
    return this.work.run(input.principal, async (tx) => {
      if (projectId) await this.projects.letIn(input, projectId, tx);
      const rows = this.rows.within(input.scope, tx);
      const found = await rows.find({ _id: { $in: ids }, ...visibleTo(input), isDeleted: false });
      const known = found.filter((row) => canRead(input, row));
      const moved = known
        .filter((row) => (row.projectId ?? null) !== projectId)
        .map((row) => ({ ...row, projectId, formerProject: null, sequence: row.sequence + 1 }));
      const changes = moved.map(({ _id, formerProject, sequence }) => ({
        filter: { _id },
        change: { $set: { projectId, formerProject, sequence } },
      }));
      await rows.later.updateEach(changes);
      for (const row of moved) recordMoved(tx, row);
      const knownIds = new Set(known.map(({ _id }) => _id));
      const results = ids.map((conversationId) => ({
        conversationId,
        code: knownIds.has(conversationId) ? null : ('chat.conversation-not-found' as const),
      }));
      return { results };
    });
  }
}

/** Records the new project of a conversation whose row already has the sequence of the move. */
export function recordMoved(tx: Transaction, row: StoredConversation): void {
  const { orgId, ownerId: userId, _id: conversationId, projectId = null, sequence } = row;
  tx.record(conversationMoved, { orgId, userId, conversationId, projectId }, { sequence });
}
