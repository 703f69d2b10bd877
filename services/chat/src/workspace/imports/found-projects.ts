import type { ReadChat, ReadProject } from '@parley/chat-exports';
import {
  mostReportedProjects,
  mostReportedTitleLength,
  mostReportedTitles,
  type ImportReport,
  type ReportedProject,
} from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { Counting } from './import.ts';
import type { ChatState, Whose } from './imported-chats.ts';
import type { KnownProjects } from './known-projects.ts';

type Counted = { name: string | null; chats: number; deletedChats: number; chatTitles?: string[] };
type Finding = {
  readonly scope: OrganisationScope;
  readonly whose: Whose;
  readonly described: readonly ReadProject[];
  /** Counts the files of each. */
  readonly files: ReadonlyMap<string, number>;
};
type Other = ImportReport['others'][number];

/** Projects beyond the report's are named up to this number. */
const mostNames = 20;

/** Counts the projects of an export while its chats are read. */
export class FoundProjects {
  private readonly byId = new Map<string, Counted>();

  count({ project, title }: Pick<ReadChat, 'project' | 'title'>, { kind }: ChatState): void {
    if (!project || kind === 'known' || kind === 'grown') return;
    const counted = this.byId.get(project.id) ?? { name: project.name, chats: 0, deletedChats: 0 };
    counted[kind === 'deleted' ? 'deletedChats' : 'chats'] += 1;
    this.byId.set(project.id, counted);
    if (project.name === null && title !== '' && this.byId.size <= mostReportedProjects) this.keepTitle(counted, title);
  }

  private keepTitle(counted: Counted, title: string): void {
    counted.chatTitles ??= [];
    if (counted.chatTitles.length < mostReportedTitles)
      counted.chatTitles.push(title.slice(0, mostReportedTitleLength).toWellFormed());
  }

  /** Reports those that the export describes, and those that chats of it are in. One that is here and gets no chats isn't told. */
  async report(
    known: KnownProjects,
    { scope, whose, described, files }: Finding,
  ): Promise<Pick<Counting, 'projects'> & { readonly others: readonly Other[] }> {
    const projects: ReportedProject[] = [];
    const beyond: string[] = [];
    for (const [id, { name, instructions, ...counts }] of this.all(described)) {
      if (projects.length >= mostReportedProjects) {
        beyond.push(name ?? id);
        continue;
      }
      const state = await known.stateOf(scope, whose, id);
      const isNothingNew = state.kind === 'here' && counts.chats === 0 && counts.deletedChats === 0;
      if (isNothingNew) continue;
      projects.push({
        id,
        name,
        ...counts,
        hasInstructions: instructions !== '',
        ...(files.has(id) && { files: files.get(id) }),
        state: state.kind,
        ...(state.kind === 'here' && { project: state.project }),
      });
    }
    const other = { kind: 'projects', count: beyond.length, names: beyond.slice(0, mostNames) } as const;
    return { ...(projects.length > 0 && { projects }), others: beyond.length > 0 ? [other] : [] };
  }

  private all(described: readonly ReadProject[]) {
    const none = { chats: 0, deletedChats: 0, instructions: '' };
    const all = new Map(
      described.map(({ sourceId, name, instructions }) => [sourceId, { ...none, name, instructions }]),
    );
    for (const [id, counted] of this.byId) {
      const before = all.get(id);
      all.set(id, { ...none, ...counted, ...before, chats: counted.chats, deletedChats: counted.deletedChats });
    }
    return all;
  }
}
