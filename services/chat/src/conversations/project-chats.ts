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
import { recordProject } from './project-access.ts';
import type { moveProjectChats } from './project-jobs.ts';
import { projectRows, type ProjectRow } from './project.collection.ts';

type Input = JobInput<typeof moveProjectChats>;
/** The most chats that one transaction moves. One that deletes chats takes only one, which can fill it. */
const perBatch = 20;
const scope = jobScope('projects are deleted and restored with their chats');

/**
 * Moves the chats of a deleted project out of it or deletes them, and moves those of a restored project back, as the
 * project's row says. Each batch is a transaction, as is each step of a chat's deletion, so that another process can
 * continue.
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
      this.conversationsService.applyEnd();
      run.progressed();
      run.signal.throwIfAborted();
      if (run.shouldMakeRoom) return goOn();
    }
  }

  /** Returns true if no chat is left. */
  private moveSome({ orgId, projectId, userId }: Input, run: JobRun): Promise<boolean> {
    return this.work.run(job('moves chats of projects', { onBehalfOf: userId }), async (tx) => {
      await run.hold(tx);
      const project = await this.projects.within(scope.in(orgId), tx).findById(projectId);
      if (!project?.moving) return true;
      const { count, isMore } = await this.moveBatch(project, tx);
      if (isMore) return false;
      const isOut = project.moving === 'out';
      await this.projects
        .within(scope.in(orgId), tx)
        .update({ _id: projectId }, { $set: { moving: null, isListed: !isOut } });
      // Without chats, no other event makes tabs read again that the project is no longer being deleted.
      if (isOut && count === 0) recordProject(tx, project, 'updated');
      return true;
    });
  }

  /** Moves the next chats in this transaction. The project is settled by the job alone, after its last chats. */
  async moveBatch(project: ProjectRow, tx: Transaction): Promise<{ count: number; isMore: boolean }> {
    const { _id: projectId, orgId, ownerId } = project;
    const isOut = project.moving === 'out';
    const chats = this.chats.within(scope, tx);
    const where = { orgId, ownerId, ...(isOut ? { projectId } : { 'formerProject.id': projectId }) };
    const limit = isOut && project.chats === 'delete' ? 1 : perBatch;
    const found = await chats.find(where, { limit });
    for (const chat of found) await (isOut ? this.moveOut(chat, project, tx) : this.moveBack(chat, project, tx));
    return { count: found.length, isMore: found.length === limit };
  }

  /**
   * Takes a chat out of its project. A chat that is deleted with the project leaves only when its deletion is complete,
   * if necessary in a later transaction.
   */
  private async moveOut(chat: StoredConversation, { _id: id, chats }: ProjectRow, tx: Transaction): Promise<void> {
    const isBegun = chat.formerProject?.id === id;
    const isToGo = chats === 'delete' && !chat.isDeleted && !isBegun;
    const ending = isToGo ? await this.delete(chat, tx) : isBegun && chat.isDeleted ? chat : null;
    const deleted = ending && { conversation: ending, root: null };
    const isMore = deleted !== null && (await this.conversationsService.end(scope.in(chat.orgId), deleted, tx));
    const formerProject = { id, isDeleted: isBegun || deleted !== null };
    const rows = this.chats.within(scope, tx);
    if (isMore) return void (await rows.update({ _id: chat._id }, { $set: { formerProject } }));
    const left = { $set: { projectId: null, formerProject }, $inc: { sequence: 1 } };
    const moved = await rows.change({ _id: chat._id }, left);
    if (moved) recordMoved(tx, moved);
  }

  private async delete({ _id: id, ownerId, orgId }: StoredConversation, tx: Transaction) {
    const now = this.clock.now();
    const deletion = { visible: { ownerId }, id, now, eraseAt: new Date(now.getTime() + keepDeletedMs) };
    const deleted = await this.conversations.delete(scope.in(orgId), deletion, tx);
    if (deleted) record(tx, deleted, 'deleted');
    return deleted;
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
