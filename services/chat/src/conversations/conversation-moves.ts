import { Injectable } from '@nestjs/common';
import { conversationMoved, type ConversationId, type moveConversations, type ProjectId } from '@parley/contracts';
import { Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { ConversationAccess, visibleTo, type Viewer } from './access.ts';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { ProjectAccess } from './project-access.ts';

type Results = ResponseOf<typeof moveConversations>['results'];
type Code = Results[number]['code'];

/** Moves chats between projects. Only the row of a chat changes. */
@Injectable()
export class ConversationMoves {
  private readonly rows: Rows<typeof conversationRows>;

  constructor(
    mongo: Mongo,
    private readonly access: ConversationAccess,
    private readonly projects: ProjectAccess,
    private readonly work: Work,
  ) {
    this.rows = mongo.rows(conversationRows);
  }

  async moveMany(input: InputOf<typeof moveConversations>): Promise<ResponseOf<typeof moveConversations>> {
    const { conversationIds, projectId } = input.body;
    if (projectId) await this.projects.read(input, projectId);
    const results: Results = [];
    for (const conversationId of new Set(conversationIds))
      results.push({ conversationId, code: await this.codeOf(input, conversationId, projectId) });
    return { results };
  }

  /** Moves it; returns why it stays, also where the project was deleted since the first of them. */
  private async codeOf(viewer: Viewer, id: ConversationId, projectId: ProjectId | null): Promise<Code> {
    try {
      return (await this.move(viewer, id, projectId)) ? null : 'chat.conversation-not-found';
    } catch (error) {
      if (error instanceof Problem && error.code === 'chat.project-deleted') return error.code;
      throw error;
    }
  }

  /**
   * Returns false if the viewer sees no such chat. Its version stays, so that a person who is renaming it isn't
   * refused.
   */
  private async move(viewer: Viewer, id: ConversationId, projectId: ProjectId | null): Promise<boolean> {
    const known = await this.access.find(viewer, id);
    if (!known || known.isDeleted) return false;
    if ((known.projectId ?? null) === projectId) return true;
    return this.work.run(viewer.principal, async (tx) => {
      if (projectId) await this.projects.letIn(viewer, projectId, tx);
      const mine = { _id: id, ...visibleTo(viewer), isDeleted: false };
      const change = { $set: { projectId, formerProject: null }, $inc: { sequence: 1 } };
      const row = await this.rows.within(viewer.scope, tx).change(mine, change);
      if (row) recordMoved(tx, row);
      return row !== null;
    });
  }
}

/** Records the new project of a conversation whose row already has the sequence of the move. */
export function recordMoved(tx: Transaction, row: StoredConversation): void {
  const { orgId, ownerId: userId, _id: conversationId, projectId = null, sequence } = row;
  tx.record(conversationMoved, { orgId, userId, conversationId, projectId }, { sequence });
}
