import { Injectable } from '@nestjs/common';
import type { ProjectId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Problem } from '@parley/protocol';
import { visibleTo, type Owner, type Viewer } from './access.ts';
import { projectRows, type ProjectRow } from './project.collection.ts';

/** Finds projects for their owner, and lets chats in. */
@Injectable()
export class ProjectAccess {
  private readonly rows: Rows<typeof projectRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(projectRows);
  }

  /**
   * Lets a chat in, in the transaction that puts it there. A deletion at the same time runs again after it, or this one
   * finds the project deleted.
   */
  async letIn(viewer: Viewer, id: ProjectId, tx: Transaction): Promise<ProjectRow> {
    const mine = { _id: id, ...visibleTo(viewer), deletedAt: null };
    const row = await this.rows.within(viewer.scope, tx).change(mine, { $inc: { joined: 1 } });
    return row ?? this.read(viewer, id, tx);
  }

  /** Returns its instructions; empty for a deleted project. A process that is alone reads them from memory. */
  async instructions(scope: OrganisationScope, id: ProjectId): Promise<string> {
    const row = await this.rows.recall(scope, id, (rows) => rows.findById(id));
    return row && !row.deletedAt ? row.instructions : '';
  }

  /** Returns its id if it let a chat in, null if it isn't there any more. */
  async letInIfThere(viewer: Owner, id: ProjectId, tx: Transaction): Promise<ProjectId | null> {
    const mine = { _id: id, ...visibleTo(viewer), deletedAt: null };
    return (await this.rows.within(viewer.scope, tx).update(mine, { $inc: { joined: 1 } })) ? id : null;
  }

  /** `chat.project-not-found` for somebody else's and an unknown one, `chat.project-deleted` for one that was deleted. */
  async read(viewer: Viewer, id: ProjectId, tx?: Transaction): Promise<ProjectRow> {
    const row = await this.find(viewer, id, tx);
    if (row.deletedAt) throw new Problem('chat.project-deleted');
    return row;
  }

  /** Deleted ones too. */
  async find(viewer: Viewer, id: ProjectId, tx?: Transaction): Promise<ProjectRow> {
    const row = await this.rows.within(viewer.scope, tx).findOne({ _id: id, ...visibleTo(viewer) });
    if (!row) throw new Problem('chat.project-not-found');
    return row;
  }
}
