import { Injectable } from '@nestjs/common';
import type {
  ChatbotId,
  ConnectionId,
  createProject,
  deleteProject,
  getProject,
  listProjects,
  Project,
  restoreProject,
  updateProject,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type Rows } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { keepDeletedMs } from '../keep-deleted.ts';
import { ownedBy, visibleTo, type Viewer } from './access.ts';
import { conversationRows } from './conversation.collection.ts';
import { isUnread } from './conversation.ts';
import { eraseProject, jobOf, moveProjectChats } from './project-jobs.ts';
import { ProjectAccess, recordProject } from './project-access.ts';
import { ProjectChats } from './project-chats.ts';
import { newProject, toDeletedProject, toProject } from './project.ts';
import { projectQuota } from './project-quota.ts';
import { projectRows } from './project.collection.ts';

/** The chatbot, connections and files that a change adds to a project. */
export type Named = { readonly chatbotId: ChatbotId | null; readonly connectionIds: readonly ConnectionId[] };
/** Throws for a chatbot, connection or file that the viewer can't use. Other features provide this check. */
type AskNamed = (viewer: Viewer, named: Named) => Promise<void>;

/** Projects of people, who see and change only their own. */
@Injectable()
export class ProjectsService {
  private readonly rows: Rows<typeof projectRows>;
  private readonly chats: Rows<typeof conversationRows>;
  private readonly quotas: Quotas;
  private readonly asked: AskNamed[] = [];

  constructor(
    mongo: Mongo,
    private readonly access: ProjectAccess,
    private readonly moving: ProjectChats,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.rows = mongo.rows(projectRows);
    this.chats = mongo.rows(conversationRows);
    this.quotas = new Quotas(mongo);
  }

  /** Sets the check that runs before a project names a chatbot, connection or file. */
  whenNaming(ask: AskNamed): void {
    this.asked.push(ask);
  }

  list(input: InputOf<typeof listProjects>): Promise<ResponseOf<typeof listProjects>> {
    if (input.query.only === 'deleted') return this.listDeleted(input);
    const where = { ...visibleTo(input), isListed: true, isArchived: input.query.only === 'archived' };
    return this.rows.within(input.scope).page(input.query, { by: { createdAt: -1 }, where, to: toProject });
  }

  private listDeleted(input: InputOf<typeof listProjects>): Promise<ResponseOf<typeof listProjects>> {
    const where = { ...visibleTo(input), deletedAt: { $gt: new Date(this.clock.now().getTime() - keepDeletedMs) } };
    return this.rows.within(input.scope).page(input.query, { by: { deletedAt: -1 }, where, to: toDeletedProject });
  }

  async read(input: InputOf<typeof getProject>): Promise<ResponseOf<typeof getProject>> {
    const row = await this.access.find(input, input.params.projectId);
    if (!row.isListed) throw new Problem('chat.project-deleted');
    const where = { ...visibleTo(input), projectId: row._id, isDeleted: false };
    const options = { limit: 1_000, fields: ['answersEnded', 'answersSeen', 'isArchived'] } as const;
    const chats = await this.chats.within(input.scope).find(where, options);
    const archivedChats = chats.filter(({ isArchived }) => isArchived).length;
    return { ...toProject(row), chats: chats.length, archivedChats, unread: chats.filter(isUnread).length };
  }

  /** Idempotent: repeating the call returns the existing project, or throws if it is deleted. */
  async create(input: InputOf<typeof createProject>): Promise<Project> {
    const { scope, principal, body } = input;
    const row = newProject({ orgId: scope.orgId, ...ownedBy(input), ...body }, this.clock.now());
    return this.work.run(principal, async (tx) => {
      const { row: stored, isNew } = await this.rows.within(scope, tx).insertOnce(row);
      if (stored.ownerId !== principal.userId) throw new Problem('chat.project-not-found');
      if (stored.deletedAt) throw new Problem('chat.project-deleted');
      if (!isNew) return toProject(stored);
      await this.quotas.admit(scope, tx, projectQuota(principal.userId));
      recordProject(tx, stored, 'created');
      return toProject(stored);
    });
  }

  async update(input: InputOf<typeof updateProject>): Promise<Project> {
    const { scope, principal, params, body } = input;
    const { revision, pinned, archived, ...words } = body;
    const set = {
      ...words,
      ...(pinned !== undefined && { isPinned: pinned }),
      ...(archived !== undefined && { isArchived: archived }),
    };
    await this.askNamed(input);
    const changed = await this.work.run(principal, async (tx) => {
      const mine = { _id: params.projectId, ...visibleTo(input), revision, deletedAt: null };
      const row = await this.rows.within(scope, tx).change(mine, { $set: set, $inc: { revision: 1 } });
      if (row) recordProject(tx, row, 'updated');
      return row;
    });
    if (changed) return toProject(changed);
    const current = await this.access.read(input, params.projectId);
    throw new Problem('platform.conflict', { current: toProject(current) });
  }

  async delete(input: InputOf<typeof deleteProject>): Promise<void> {
    const { scope, principal, params, query } = input;
    const now = this.clock.now();
    const set = { deletedAt: now, chats: query.chats ?? 'keep', moving: 'out' } as const;
    const deleted = await this.work.run(principal, async (tx) => {
      const mine = { _id: params.projectId, ...visibleTo(input), deletedAt: null };
      const row = await this.rows.within(scope, tx).change(mine, { $set: set, $inc: { revision: 1 } });
      if (!row) return null;
      tx.queue(moveProjectChats, jobOf(row));
      tx.queue(eraseProject, jobOf(row), { at: new Date(now.getTime() + keepDeletedMs) });
      recordProject(tx, row, 'deleted');
      return row;
    });
    if (!deleted) await this.access.find(input, params.projectId);
  }

  async restore(input: InputOf<typeof restoreProject>): Promise<Project> {
    const { scope, principal, params } = input;
    const set = { deletedAt: null, moving: 'back', isListed: true } as const;
    const restored = await this.work.run(principal, async (tx) => {
      const mine = { _id: params.projectId, ...visibleTo(input), deletedAt: { $ne: null } };
      const row = await this.rows.within(scope, tx).change(mine, { $set: set, $inc: { revision: 1 } });
      if (!row) return null;
      await this.quotas.admit(scope, tx, projectQuota(principal.userId));
      tx.cancel(eraseProject, row._id);
      // Brings back the first chats at once, so that no page shows a small project without its chats. The job brings back
      // the rest, also chats that it was just moving out.
      await this.moving.moveBatch(row, tx);
      tx.queue(moveProjectChats, jobOf(row));
      recordProject(tx, row, 'restored');
      return row;
    });
    return toProject(restored ?? (await this.access.read(input, params.projectId)));
  }

  /**
   * Checks only names that a change adds: earlier ones stay, and each question checks the permission for them again.
   */
  private async askNamed(input: InputOf<typeof updateProject>): Promise<void> {
    const { chatbotId = null, connectionIds = [] } = input.body;
    if (!chatbotId && connectionIds.length === 0) return;
    const known = await this.access.read(input, input.params.projectId);
    const named = {
      chatbotId: chatbotId === known.chatbotId ? null : chatbotId,
      connectionIds: connectionIds.filter((id) => !known.connectionIds?.includes(id)),
    };
    for (const ask of this.asked) await ask(input, named);
  }
}
