import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { keepDeletedMs } from '../keep-deleted.ts';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { ConversationsRepository } from './conversations.repository.ts';
import { ConversationsService, record } from './conversations.service.ts';
import { recordMoved } from './conversation-moves.ts';
import type { moveProjectChats } from './project-jobs.ts';
import { projectRows, type ProjectRow } from './project.collection.ts';

type Input = JobInput<typeof moveProjectChats>;
/** Chats of one transaction. */
const perBatch = 20;
const scope = jobScope('projects are deleted and restored with their chats');

/**
 * Moves the chats of a deleted project out of it or deletes them, and those of a restored one back, as its row says
 * now. Each batch is one transaction, so it goes on where another process ended.
 */
@Injectable()
export class ProjectChats implements JobRunner<Input> {
  private readonly projects: Rows<typeof projectRows>;
  private readonly chats: Rows<typeof conversationRows>;

  constructor(
    mongo: Mongo,
    private readonly conversations: ConversationsRepository,
    private readonly conversationsService: ConversationsService,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.projects = mongo.rows(projectRows);
    this.chats = mongo.rows(conversationRows);
  }

  async run(input: Input, run: JobRun): Promise<GoesOn | void> {
    while (!(await this.moveSome(input, run))) {
      run.progressed();
      run.signal.throwIfAborted();
      if (run.shouldMakeRoom) return goOn();
    }
    this.conversationsService.applyEnd();
  }

  /** Returns whether none is left. */
  private moveSome({ orgId, projectId, userId }: Input, run: JobRun): Promise<boolean> {
    return this.work.run(job('moves chats of projects', { onBehalfOf: userId }), async (tx) => {
      await run.hold(tx);
      const project = await this.projects.within(scope.in(orgId), tx).findById(projectId);
      if (!project?.moving) return true;
      const isOut = project.moving === 'out';
      const chats = this.chats.within(scope, tx);
      const where = { orgId, ownerId: userId, ...(isOut ? { projectId } : { 'formerProject.id': projectId }) };
      const found = await chats.find(where, { limit: perBatch });
      for (const chat of found) await (isOut ? this.moveOut(chat, project, tx) : this.moveBack(chat, project, tx));
      if (found.length === perBatch) return false;
      const settled = { moving: null, isListed: !isOut };
      await this.projects.within(scope.in(orgId), tx).update({ _id: projectId }, { $set: settled });
      return true;
    });
  }

  private async moveOut(chat: StoredConversation, { _id: id, chats }: ProjectRow, tx: Transaction): Promise<void> {
    const isDeleted = chats === 'delete' && !chat.isDeleted;
    const set = { projectId: null, formerProject: { id, isDeleted } };
    const moved = await this.chats.within(scope, tx).change({ _id: chat._id }, { $set: set, $inc: { sequence: 1 } });
    if (moved) recordMoved(tx, moved);
    if (!isDeleted) return;
    const now = this.clock.now();
    const wanted = { visible: { ownerId: chat.ownerId }, id: chat._id, now };
    const orgScope = scope.in(chat.orgId);
    const deletion = { ...wanted, eraseAt: new Date(now.getTime() + keepDeletedMs) };
    const conversation = await this.conversations.delete(orgScope, deletion, tx);
    if (!conversation) return;
    record(tx, conversation, 'deleted');
    while (await this.conversationsService.end(orgScope, { conversation, root: null }, tx));
  }

  private async moveBack(chat: StoredConversation, { _id: id }: ProjectRow, tx: Transaction): Promise<void> {
    const { ownerId, orgId, formerProject } = chat;
    if (formerProject?.isDeleted) {
      const wanted = { visible: { ownerId }, id: chat._id };
      const restored = await this.conversations.restore(scope.in(orgId), wanted, tx);
      if (restored) record(tx, restored, 'restored');
    }
    const set = { projectId: chat.projectId ?? id, formerProject: null };
    const moved = await this.chats.within(scope, tx).change({ _id: chat._id }, { $set: set, $inc: { sequence: 1 } });
    if (moved) recordMoved(tx, moved);
  }
}
