import { Injectable } from '@nestjs/common';
import { projectChanged, type Project, type ProjectId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import type { UserId } from '@parley/protocol';
import { newProject } from './project.ts';
import { projectQuota } from './project-quota.ts';
import { projectRows, type ProjectRow } from './project.collection.ts';

/** A project that an import creates. */
export type BroughtProject = Pick<Project, 'id' | 'name' | 'instructions' | 'chatbotId' | 'connectionIds'> & {
  readonly isPinned: boolean;
  readonly isArchived: boolean;
  /** Null: now. */
  readonly createdAt: Date | null;
};

/** Projects of one person, for their imports and exports. */
@Injectable()
export class OwnProjects {
  private readonly rows: Rows<typeof projectRows>;
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.rows = mongo.rows(projectRows);
    this.quotas = new Quotas(mongo);
  }

  /** Lists all projects that aren't deleted, including archived ones, oldest first. */
  list(scope: OrganisationScope, ownerId: UserId): Promise<ProjectRow[]> {
    return this.rows
      .within(scope)
      .find({ ownerId, isListed: true, deletedAt: null }, { sort: { createdAt: 1, _id: 1 } });
  }

  /** Returns null if the project was deleted, or is someone else's. */
  find(scope: OrganisationScope, ownerId: UserId, id: ProjectId): Promise<ProjectRow | null> {
    return this.rows.within(scope).findOne({ _id: id, ownerId, deletedAt: null });
  }

  /** Returns true if the person owns this project, deleted or not. */
  isKnown(scope: OrganisationScope, ownerId: UserId, id: ProjectId): Promise<boolean> {
    return this.rows.within(scope).exists({ _id: id, ownerId });
  }

  /** Throws `org.limit-reached` above the quota of projects. */
  async create(scope: OrganisationScope, ownerId: UserId, brought: BroughtProject, tx: Transaction): Promise<void> {
    const { orgId } = scope;
    const { id, name, createdAt, ...words } = brought;
    const now = this.clock.now();
    const at = createdAt && createdAt < now ? createdAt : now;
    const row = { ...newProject({ orgId, ownerId, id, name }, at), ...words };
    const { isNew } = await this.rows.within(scope, tx).insertOnce(row);
    if (!isNew) return;
    await this.quotas.admit(scope, tx, projectQuota(ownerId));
    tx.record(projectChanged, { orgId, userId: ownerId, projectId: id, change: 'created' });
  }
}
