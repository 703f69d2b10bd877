import { Injectable } from '@nestjs/common';
import { projectId, type ProjectId, type ReportedProject } from '@parley/contracts';
import { apartFromClients, derivedId } from '@parley/platform/ids';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { hash } from 'node:crypto';
import { OwnProjects } from '../../conversations/index.ts';
import { importedProjectRows } from './import.collection.ts';
import type { Whose } from './imported-chats.ts';

/** Says what a project of an export is here. `new`: it isn't here, and would be created as the `round`th import of it. */
export type ProjectState =
  | { readonly kind: 'new' | 'deleted'; readonly round: number }
  | { readonly kind: 'here'; readonly project: NonNullable<ReportedProject['project']> };

/** A project that an import has made. */
export type ProjectHere = {
  readonly id: ProjectId;
  readonly name: string;
  readonly round: number;
  /** Counts its files. */
  readonly files: number;
  /** True if an import has brought this file before, even if it was removed since. */
  readonly hasHad: (file: string) => boolean;
};

const keyOf = ({ orgId }: OrganisationScope, { userId, source }: Whose, project: string): string =>
  hash('sha256', JSON.stringify(['project', orgId, userId, source, project]), 'hex').slice(0, 40);

/** The key of a file of a project. */
const fileKeyOf = (file: string): string => hash('sha256', file, 'hex').slice(0, 16);

/** The project that a project of a source becomes: an id that no client can name. */
export const projectIdOf = (
  { orgId }: OrganisationScope,
  { userId, source }: Whose,
  { project, round }: { readonly project: string; readonly round: number },
): ProjectId => apartFromClients(derivedId('project', ['import', orgId, userId, source, project, round]));

/** Knows which projects of other products a person has imported. */
@Injectable()
export class KnownProjects {
  private readonly rows: Rows<typeof importedProjectRows>;

  constructor(
    mongo: Mongo,
    private readonly projects: OwnProjects,
  ) {
    this.rows = mongo.rows(importedProjectRows);
  }

  async stateOf(scope: OrganisationScope, whose: Whose, project: string): Promise<ProjectState> {
    const row = await this.rows.within(scope).findById(keyOf(scope, whose, project));
    if (!row) return whose.source === 'parley' ? this.ownState(scope, whose, project) : { kind: 'new', round: 0 };
    const there = await this.projects.find(scope, whose.userId, row.projectId);
    if (there) return { kind: 'here', project: { id: there._id, name: there.name } };
    return { kind: 'deleted', round: row.round + 1 };
  }

  /** In the transaction that makes it. */
  async note(
    scope: OrganisationScope,
    { userId, source }: Whose,
    { project, id, round }: { readonly project: string; readonly id: ProjectId; readonly round: number },
    tx: Transaction,
  ): Promise<void> {
    const _id = keyOf(scope, { userId, source }, project);
    await this.rows.within(scope, tx).upsert({ _id, userId }, { $set: { source, projectId: id, round, files: [] } });
  }

  /** Returns the project that an import has made of this one; null where it isn't here. */
  async placeOf(scope: OrganisationScope, whose: Whose, project: string): Promise<ProjectHere | null> {
    const row = await this.rows.within(scope).findById(keyOf(scope, whose, project));
    const there = row && (await this.projects.find(scope, whose.userId, row.projectId));
    if (!there) return null;
    const had = new Set(row.files);
    const { _id: id, name, files = [] } = there;
    return { id, name, round: row.round, files: files.length, hasHad: (file) => had.has(fileKeyOf(file)) };
  }

  /** Call in the transaction that adds the file to its project. */
  async noteFile(
    scope: OrganisationScope,
    whose: Whose,
    { project, id }: { readonly project: string; readonly id: string },
    tx: Transaction,
  ): Promise<void> {
    const _id = keyOf(scope, whose, project);
    await this.rows.within(scope, tx).update({ _id }, { $push: { files: fileKeyOf(id) } });
  }

  /** A project that was exported here. */
  private async ownState(scope: OrganisationScope, { userId }: Whose, project: string): Promise<ProjectState> {
    const id = projectId.safeParse(project).data;
    const there = id ? await this.projects.find(scope, userId, id) : null;
    if (there) return { kind: 'here', project: { id: there._id, name: there.name } };
    const isKnown = id !== undefined && (await this.projects.isKnown(scope, userId, id));
    return { kind: isKnown ? 'deleted' : 'new', round: 0 };
  }
}
