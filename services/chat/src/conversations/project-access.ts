import { Injectable } from '@nestjs/common';
import { projectChanged, type FileId, type ProjectId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Problem, type DataOf } from '@parley/protocol';
import { visibleTo, type Owner, type Viewer } from './access.ts';
import { projectRows, type ProjectRow } from './project.collection.ts';

type Change = DataOf<typeof projectChanged>['change'];
/** The instructions and knowledge that the chats of a project use. */
export type ProjectMaterial = Pick<ProjectRow, 'instructions' | 'connectionIds' | 'files'>;

/** Finds projects for their owner, and adds chats and files to them. */
@Injectable()
export class ProjectAccess {
  private readonly rows: Rows<typeof projectRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(projectRows);
  }

  /**
   * Lets a chat join the project, in the transaction that adds the chat. If the project is deleted at the same time,
   * the deletion runs again after the chat has joined, or this call finds the project deleted.
   */
  async letIn(viewer: Viewer, id: ProjectId, tx: Transaction): Promise<ProjectRow> {
    const mine = { _id: id, ...visibleTo(viewer), deletedAt: null };
    const row = await this.rows.within(viewer.scope, tx).change(mine, { $inc: { joined: 1 } });
    return row ?? this.read(viewer, id, tx);
  }

  /**
   * Returns the instructions and knowledge of the project's chats; null for a deleted project. A process that runs
   * alone caches the project.
   */
  async material(scope: OrganisationScope, id: ProjectId): Promise<ProjectMaterial | null> {
    const row = await this.rows.recall(scope, id, (rows) => rows.findById(id));
    return row && !row.deletedAt ? row : null;
  }

  /** Replaces the project's files; returns false if they are the same. Throws like `read`. */
  async changeFiles(
    owner: Owner,
    { id, to }: { readonly id: ProjectId; readonly to: (files: readonly FileId[]) => FileId[] },
    tx: Transaction,
  ): Promise<boolean> {
    const { files: known = [] } = await this.read(owner, id, tx);
    const files = to(known);
    if (files.join() === known.join()) return false;
    const row = await this.rows.within(owner.scope, tx).change({ _id: id, deletedAt: null }, { $set: { files } });
    if (row) recordProject(tx, row, 'updated');
    return row !== null;
  }

  /** Lets a chat join a project. Returns the project's id, or null if the project no longer exists. */
  async letInIfThere(viewer: Owner, id: ProjectId, tx: Transaction): Promise<ProjectId | null> {
    const mine = { _id: id, ...visibleTo(viewer), deletedAt: null };
    return (await this.rows.within(viewer.scope, tx).update(mine, { $inc: { joined: 1 } })) ? id : null;
  }

  /**
   * Throws `chat.project-not-found` for an unknown project and someone else's, `chat.project-deleted` for a deleted
   * one.
   */
  async read(owner: Owner, id: ProjectId, tx?: Transaction): Promise<ProjectRow> {
    const row = await this.find(owner, id, tx);
    if (row.deletedAt) throw new Problem('chat.project-deleted');
    return row;
  }

  /** Deleted ones too. */
  async find(owner: Owner, id: ProjectId, tx?: Transaction): Promise<ProjectRow> {
    const row = await this.rows.within(owner.scope, tx).findOne({ _id: id, ...visibleTo(owner) });
    if (!row) throw new Problem('chat.project-not-found');
    return row;
  }
}

/** Records a change of a project, which notifies its owner's tabs. */
export function recordProject(
  tx: Transaction,
  { _id: projectId, orgId, ownerId: userId }: ProjectRow,
  change: Change,
): void {
  tx.record(projectChanged, { orgId, userId, projectId, change });
}
