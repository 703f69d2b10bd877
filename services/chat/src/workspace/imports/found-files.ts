import type { OpenedExport } from '@parley/chat-exports';
import { mostProjectFiles, type ImportReport } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { Whose } from './imported-chats.ts';
import type { KnownProjects } from './known-projects.ts';

export type FoundFiles = {
  /** Absent: the export has none. */
  readonly projectFiles?: NonNullable<ImportReport['projectFiles']>;
  readonly ofProjects: ReadonlyMap<string, number>;
};

/** Counts the files of an export's projects, and those of them that an import would add. */
export async function findFiles(
  known: KnownProjects,
  { scope, whose, opened }: { scope: OrganisationScope; whose: Whose; opened: OpenedExport },
): Promise<FoundFiles> {
  const ofProjects = new Map<string, number>();
  const room = new Map<string, number>();
  let toImport = 0;
  for await (const { project, id, file } of opened.projectFiles()) {
    ofProjects.set(project, (ofProjects.get(project) ?? 0) + 1);
    const place = await known.placeOf(scope, whose, project);
    const left = room.get(project) ?? (await roomOf(known, { scope, whose, project }, place));
    const isComing = typeof file !== 'string' && left > 0 && !place?.hasHad(id);
    room.set(project, isComing ? left - 1 : left);
    if (isComing) toImport += 1;
  }
  const found = [...ofProjects.values()].reduce((sum, count) => sum + count, 0);
  return { ...(found > 0 && { projectFiles: { found, toImport } }), ofProjects };
}

async function roomOf(
  known: KnownProjects,
  { scope, whose, project }: { scope: OrganisationScope; whose: Whose; project: string },
  place: Awaited<ReturnType<KnownProjects['placeOf']>>,
): Promise<number> {
  if (place) return Math.max(0, mostProjectFiles - place.files);
  // One that was exported here has what it had, and one that was deleted comes only if its person wants it.
  return (await known.stateOf(scope, whose, project)).kind === 'new' ? mostProjectFiles : 0;
}
