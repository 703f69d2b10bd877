import { Injectable } from '@nestjs/common';
import { isDamage, type OpenedExport, type ProjectFile } from '@parley/chat-exports';
import { mostProjectFiles, type FileId, type ImportSource, type LossReason } from '@parley/contracts';
import { apartFromClients, derivedId } from '@parley/platform/ids';
import type { JobRun } from '@parley/platform/jobs';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { isOverQuota } from '../../knowledge/documents/index.ts';
import { ImportedFiles } from '../../knowledge/files/index.ts';
import { ProjectFiles } from '../../knowledge/project-knowledge/index.ts';
import { isOfChat } from './import-faults.ts';
import { targetIn } from './import.ts';
import { ImportLosses } from './import-losses.ts';
import { assertMayImport } from './import-rights.ts';
import type { ImportRow } from './import.collection.ts';
import { ImportsRepository } from './imports.repository.ts';
import { KnownProjects, type ProjectHere } from './known-projects.ts';

const importing = job('imports files of projects');

type Here = {
  readonly run: JobRun;
  readonly row: ImportRow;
  readonly source: ImportSource;
  /** Numbers the file in the export, from 0. */
  readonly at: number;
};
type Placing = { readonly found: ProjectFile; readonly place: ProjectHere };
type Lost = { readonly found: ProjectFile; readonly project: string; readonly reason: LossReason };
export type Brought = { readonly row: ImportRow; readonly isDone: boolean };

/**
 * Brings the files of an export's projects into those that imports have made of them, one after the other. One that a person has
 * taken out of its project doesn't come again.
 */
@Injectable()
export class ImportProjectFiles {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly known: KnownProjects,
    private readonly stored: ImportedFiles,
    private readonly files: ProjectFiles,
    private readonly losses: ImportLosses,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /** Goes on where the import is; `isDone` is false where it was paused or others wait for their turn. */
  async bring(
    scope: OrganisationScope,
    row: ImportRow,
    { opened, run }: { readonly opened: OpenedExport; readonly run: JobRun },
  ): Promise<Brought> {
    if (!row.report?.projectFiles || row.filesAt === null) return { row, isDone: true };
    let current = row;
    let { filesAt: at = 0 } = row;
    for await (const found of opened.projectFiles(at)) {
      run.signal.throwIfAborted();
      current = await this.one(scope, { run, row: current, source: opened.source, at }, found);
      at += 1;
      run.progressed();
      if (current.status !== 'importing' || run.shouldMakeRoom) return { row: current, isDone: false };
    }
    return { row: await this.imports.hold(scope, current, { filesAt: null }), isDone: true };
  }

  private async one(scope: OrganisationScope, here: Here, found: ProjectFile): Promise<ImportRow> {
    const { row, source } = here;
    const place = await this.known.placeOf(scope, { userId: row.userId, source }, found.project);
    if (!place) {
      const made = targetIn(row, found.project);
      if (!made?.projectId) return row;
      return this.leaveOut(scope, here, { found, project: made.name, reason: 'file-without-project' });
    }
    if (place.hasHad(found.id)) return row;
    const id = await this.store(scope, here, { found, place });
    if (typeof id === 'object') return this.leaveOut(scope, here, { found, project: place.name, ...id });
    return this.add(scope, here, { found, place, id });
  }

  /** As its person had uploaded it, or why it is not. */
  private async store(
    scope: OrganisationScope,
    { run, row, source }: Here,
    { found: { project, id, file }, place }: Placing,
  ): Promise<FileId | { readonly reason: LossReason }> {
    if (typeof file === 'string') return { reason: file };
    if (place.files >= mostProjectFiles) return { reason: 'project-files-full' };
    await assertMayImport(this.platform, row);
    const { userId, groupIds } = row;
    const { name, bytes } = file;
    const derived = derivedId('file', ['import', scope.orgId, userId, source, project, place.round, id]);
    const given = { id: apartFromClients(derived), userId, groupIds, name, bytes, open: () => file.open() };
    try {
      const kept = await this.stored.store(scope, given);
      return typeof kept === 'string' ? { reason: kept } : kept.id;
    } catch (error) {
      const reason = reasonOf(run, error);
      if (!reason) throw error;
      return { reason };
    }
  }

  private async add(
    scope: OrganisationScope,
    here: Here,
    { found, place, id }: Placing & { readonly id: FileId },
  ): Promise<ImportRow> {
    const { row, source, at } = here;
    const owner = { scope, principal: { userId: row.userId } };
    try {
      return await this.work.run(importing, async (tx) => {
        const held = await this.imports.hold(scope, row, {}, tx);
        await this.files.add(owner, { projectId: place.id, fileId: id }, tx);
        await this.known.noteFile(scope, { userId: row.userId, source }, found, tx);
        const imported = { ...held.imported, files: held.imported.files + 1 };
        return this.imports.hold(scope, row, { filesAt: at + 1, imported }, tx);
      });
    } catch (error) {
      const reason = error instanceof Problem ? refusals[error.code] : undefined;
      if (!reason) throw error;
      return this.leaveOut(scope, here, { found, project: place.name, reason });
    }
  }

  private leaveOut(
    scope: OrganisationScope,
    { row, at }: Here,
    { found: { name }, project: title, reason }: Lost,
  ): Promise<ImportRow> {
    return this.work.run(importing, async (tx) => {
      const held = await this.imports.hold(scope, row, {}, tx);
      const losses = [{ reason, message: null, name }];
      const lost = { at: row.at, title, chat: null, losses, by: 'project-files' } as const;
      await this.losses.add(scope, held, lost, tx);
      const set = { filesAt: at + 1, losses: held.losses + 1 };
      return this.imports.hold(scope, row, set, tx);
    });
  }
}

/** Why a project doesn't take a file that is stored: nothing refers to it then, so it is erased. */
const refusals: Readonly<Record<string, LossReason>> = {
  'chat.project-files-full': 'project-files-full',
  'chat.project-not-found': 'file-without-project',
  'chat.project-deleted': 'file-without-project',
  'chat.document-type-not-supported': 'file-type-not-supported',
};

function reasonOf(run: JobRun, error: unknown): LossReason | null {
  if (isDamage(error)) return 'file-damaged';
  if (isOverQuota(error)) return 'over-quota';
  return isOfChat(run, error) ? 'internal' : null;
}
