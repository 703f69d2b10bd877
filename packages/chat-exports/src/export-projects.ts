import type { ExportFile } from './archive.ts';
import { valuesIn, type ExportFiles } from './export-files.ts';
import { isEmptyList } from './parts.ts';
import type { ImportSource, ProjectFile, ReadProject } from './read-chat.ts';
import { claudeFilesIn, claudeProjectsIn, hasClaudeProjects } from './sources/claude-projects.ts';
import { DescribedProjects, type DescribedProject, type LostProject } from './sources/described-projects.ts';
import { hasParleyProjects, parleyProjectsIn } from './sources/parley.ts';

type Content = { readonly files: readonly ExportFile[]; readonly index: ExportFiles };
type Reader = {
  isOf(file: ExportFile): boolean;
  projects(file: ExportFile, lost: LostProject): AsyncGenerator<DescribedProject>;
  files(content: Content): AsyncGenerator<ProjectFile>;
};
/** Of one export. */
const mostFiles = 10_000;

/** The other products' exports name no projects but by their chats. */
const readers: Partial<Record<ImportSource, Reader>> = {
  claude: {
    isOf: hasClaudeProjects,
    async *projects(file, lost) {
      for await (const { at: _at, ...project } of claudeProjectsIn(file, lost)) yield project;
    },
    async *files({ files }) {
      for (const file of files) {
        const ids = new Map<number, string>();
        for await (const { at, sourceId } of claudeProjectsIn(file)) ids.set(at, sourceId);
        for await (const { at, ...found } of claudeFilesIn(file)) {
          const project = ids.get(at);
          if (project !== undefined) yield { project, ...found };
        }
      }
    },
  },
  parley: {
    isOf: hasParleyProjects,
    projects: parleyProjects,
    async *files({ files: described, index }) {
      for (const file of described)
        for await (const { sourceId: project, files = [] } of parleyProjects(file))
          for (const [at, ref] of files.entries())
            yield { project, id: ref.id ?? String(at + 1), name: ref.name, file: await index.resolve(ref) };
    },
  },
};

async function* parleyProjects(file: ExportFile, lost?: LostProject): AsyncGenerator<DescribedProject> {
  for await (const value of valuesIn(file)) {
    if (value === undefined) lost?.();
    yield* parleyProjectsIn(value, lost);
  }
}

/**
 * Returns true also for an empty list, and for a list with only the example that Claude adds itself: no project of a
 * person is missing then.
 */
async function isReadable(file: ExportFile): Promise<boolean> {
  for await (const _ of valuesIn(file)) return true;
  return await isEmptyList(file);
}

/** The projects that files of an export describe, and their files. */
export class ExportProjects {
  private readonly reader: Reader | undefined;

  constructor(
    source: ImportSource,
    private readonly content: Content,
    private readonly by: {
      readonly signal: AbortSignal | undefined;
      /**
       * Records a project that can't be read, or a file whose list of projects may be incomplete. A repeated call
       * with the same key does nothing.
       */
      readonly lost: (key: string, name: string) => void;
    },
  ) {
    this.reader = readers[source];
  }

  private get described(): readonly ExportFile[] {
    return this.content.files.filter((file) => this.reader?.isOf(file));
  }

  async all(): Promise<readonly ReadProject[]> {
    const found = new DescribedProjects();
    for (const file of this.described) await this.readInto(found, file);
    return found.all;
  }

  private async readInto(found: DescribedProjects, file: ExportFile): Promise<void> {
    let isSilent = true;
    const lost: LostProject = (name) => {
      isSilent = false;
      this.by.lost(JSON.stringify([file.path, name || null]), name || file.path);
    };
    if (file.isProtected) return lost();
    for await (const project of this.reader?.projects(file, lost) ?? []) {
      this.by.signal?.throwIfAborted();
      isSilent = false;
      found.add(project);
    }
    if (isSilent && !(await isReadable(file))) lost();
  }

  /** Each once, also if it is in two files of the export. */
  async *files(from: number): AsyncGenerator<ProjectFile> {
    const seen = new Set<string>();
    const files = this.described.filter(({ isProtected }) => !isProtected);
    for await (const found of this.reader?.files({ ...this.content, files }) ?? []) {
      this.by.signal?.throwIfAborted();
      const key = JSON.stringify([found.project, found.id]);
      if (seen.has(key)) continue;
      if (seen.size >= mostFiles) return;
      seen.add(key);
      if (seen.size > from) yield found;
    }
  }
}
