import type { ExportFile } from './archive.ts';
import { valuesIn, type ExportFiles } from './export-files.ts';
import type { ImportSource, ProjectFile, ReadProject } from './read-chat.ts';
import { claudeFilesIn, claudeProjectsIn, hasClaudeProjects } from './sources/claude-projects.ts';
import { DescribedProjects, type DescribedProject } from './sources/described-projects.ts';
import { hasParleyProjects, parleyProjectsIn } from './sources/parley.ts';

type Content = { readonly files: readonly ExportFile[]; readonly index: ExportFiles };
type Reader = {
  projects(content: Content): AsyncGenerator<DescribedProject>;
  files(content: Content): AsyncGenerator<ProjectFile>;
};
/** Of one export. */
const mostFiles = 10_000;

/** The other products' exports name no projects but by their chats. */
const readers: Partial<Record<ImportSource, Reader>> = {
  claude: {
    async *projects({ files }) {
      for (const file of files.filter(hasClaudeProjects))
        for await (const { at: _at, ...project } of claudeProjectsIn(file)) yield project;
    },
    async *files({ files }) {
      for (const file of files.filter(hasClaudeProjects)) {
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
    projects: parleyProjects,
    async *files(content) {
      for await (const { sourceId: project, files = [] } of parleyProjects(content))
        for (const [at, ref] of files.entries())
          yield { project, id: ref.id ?? String(at + 1), name: ref.name, file: await content.index.resolve(ref) };
    },
  },
};

async function* parleyProjects({ files }: Content): AsyncGenerator<DescribedProject> {
  for (const file of files.filter(hasParleyProjects))
    for await (const value of valuesIn(file)) yield* parleyProjectsIn(value);
}

/** The projects that files of an export describe, and their files. */
export class ExportProjects {
  private readonly reader: Reader | undefined;

  constructor(
    source: ImportSource,
    private readonly content: Content,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.reader = readers[source];
  }

  async all(): Promise<readonly ReadProject[]> {
    const found = new DescribedProjects();
    for await (const project of this.reader?.projects(this.content) ?? []) {
      this.signal?.throwIfAborted();
      found.add(project);
    }
    return found.all;
  }

  /** Each once, also if it is in two files of the export. */
  async *files(from: number): AsyncGenerator<ProjectFile> {
    const seen = new Set<string>();
    for await (const found of this.reader?.files(this.content) ?? []) {
      this.signal?.throwIfAborted();
      const key = JSON.stringify([found.project, found.id]);
      if (seen.has(key)) continue;
      if (seen.size >= mostFiles) return;
      seen.add(key);
      if (seen.size > from) yield found;
    }
  }
}
