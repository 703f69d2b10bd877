import { Injectable } from '@nestjs/common';
import type { OpenedExport, ReadProject } from '@parley/chat-exports';
import { limits, type ConnectionId, type ImportSource, type ReportedProject } from '@parley/contracts';
import type { JobRun } from '@parley/platform/jobs';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { OwnProjects } from '../../conversations/index.ts';
import { ReadableConnections } from '../../knowledge/connections/index.ts';
import { ImportLosses, type NewLoss } from './import-losses.ts';
import { targetIn, type Target } from './import.ts';
import type { ImportRow } from './import.collection.ts';
import { assertMayImport, type Importer } from './import-rights.ts';
import { sourceNames } from './imported-messages.ts';
import { ImportsRepository } from './imports.repository.ts';
import { KnownProjects, projectIdOf } from './known-projects.ts';
import { NamedChatbots } from './named-chatbots.ts';
import { ImportProjectFiles, type Brought } from './project-files.ts';

const importing = job('imports projects');

/** The projects that files of an export describe, by their ids. */
export type Described = ReadonlyMap<string, ReadProject>;
type Here = { readonly source: ImportSource; readonly at: number; readonly importer: Importer };
type Settled = {
  readonly target: Target;
  readonly losses: readonly NewLoss[];
  /** Numbers the project in the report, from 1. */
  readonly number: number;
  readonly here: Here;
};
type Wanted = { readonly source: string; readonly name: string; readonly round: number };

/** Makes the projects of an import, each once, as its person has named them. */
@Injectable()
export class ImportProjects {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly known: KnownProjects,
    private readonly projects: OwnProjects,
    private readonly chatbots: NamedChatbots,
    private readonly connections: ReadableConnections,
    private readonly losses: ImportLosses,
    private readonly files: ImportProjectFiles,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /**
   * Makes those that the export describes, also where no chat is in them, and brings their files: Claude doesn't say
   * which chats are.
   */
  async bring(
    scope: OrganisationScope,
    row: ImportRow,
    { opened, run }: { readonly opened: OpenedExport; readonly run: JobRun },
  ): Promise<Brought & { readonly described: Described }> {
    const projects = row.report?.projects ? await opened.projects() : [];
    const described = new Map(projects.map((project) => [project.sourceId, project]));
    let current = row;
    if (described.size > 0) {
      const here = { source: opened.source, at: row.at, importer: await assertMayImport(this.platform, row) };
      for (const project of described.keys()) current = await this.ensure(scope, current, { project, here, described });
    }
    return { described, ...(await this.files.bring(scope, current, { opened, run })) };
  }

  /** Decides where the chats of a project of the export go; says so in the row that it returns. */
  async ensure(
    scope: OrganisationScope,
    row: ImportRow,
    { project, here, described }: { readonly project: string; readonly here: Here; readonly described: Described },
  ): Promise<ImportRow> {
    const { userId, report, wantedProjects = [] } = row;
    const found = report?.projects?.find(({ id }) => id === project);
    // One beyond those that the report has.
    if (!found || targetIn(row, project)) return row;
    const wanted = wantedProjects.find(({ id }) => id === project);
    const state = await this.known.stateOf(scope, { userId, source: here.source }, project);
    const number = report!.projects!.indexOf(found) + 1;
    const name = wanted?.name ?? found.name ?? defaultNameOf(report!.projects!, found, here.source);
    const isLeftOut = wanted?.name === null || (state.kind === 'deleted' && !wanted?.name);
    if (isLeftOut || state.kind === 'here') {
      const target = { source: project, name, projectId: isLeftOut || state.kind !== 'here' ? null : state.project.id };
      return this.work.run(importing, (tx) => this.settle(scope, row, { target, losses: [], number, here }, tx));
    }
    return this.make(scope, row, { wanted: { source: project, name, round: state.round }, number, here, described });
  }

  private async make(
    scope: OrganisationScope,
    row: ImportRow,
    { wanted, number, here, described }: { wanted: Wanted; number: number; here: Here; described: Described },
  ): Promise<ImportRow> {
    const { source, name, round } = wanted;
    const whose = { userId: row.userId, source: here.source };
    const id = projectIdOf(scope, whose, { project: source, round });
    const { words, losses } = await this.wordsOf(scope, described.get(source), here.importer);
    try {
      return await this.work.run(importing, async (tx) => {
        await this.projects.create(scope, row.userId, { id, name, ...words }, tx);
        await this.known.note(scope, whose, { project: source, id, round }, tx);
        return this.settle(scope, row, { target: { source, name, projectId: id }, losses, number, here }, tx);
      });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'org.limit-reached') throw error;
      const limited: readonly NewLoss[] = [{ reason: 'project-limit', message: null, name: null }];
      const target = { source, name, projectId: null };
      return this.work.run(importing, (tx) => this.settle(scope, row, { target, losses: limited, number, here }, tx));
    }
  }

  private async wordsOf(scope: OrganisationScope, described: ReadProject | undefined, importer: Importer) {
    const { instructions: whole = '', chatbot = null, connections = [], createdAt = null } = described ?? {};
    const { isPinned = false, isArchived = false } = described ?? {};
    const instructions = firstCharacters(whole, limits.projectInstructionCharacters);
    const chatbotId = chatbot === null ? null : (await this.chatbots.of(scope, importer)).find(chatbot);
    const losses: NewLoss[] = [];
    if (instructions.length < whole.length) losses.push({ reason: 'instructions-cut', message: null, name: null });
    if (described?.hasDescription) losses.push({ reason: 'project-description', message: null, name: null });
    if (chatbot !== null && chatbotId === null)
      losses.push({ reason: 'project-chatbot', message: null, name: chatbot });
    const connectionIds: ConnectionId[] = [];
    const readable = connections.length > 0 ? await this.connections.named(scope, importer) : [];
    for (const name of new Set(connections)) {
      // The one for uploads has no name unless somebody gave it one.
      const found = readable.find((one) => one.name === name) ?? (name === '' ? readable[0] : undefined);
      if (found) connectionIds.push(found.id);
      else losses.push({ reason: 'project-connection', message: null, name });
    }
    const named = { chatbotId, ...(connectionIds.length > 0 && { connectionIds }) };
    return { words: { instructions, ...named, isPinned, isArchived, createdAt }, losses };
  }

  private async settle(
    scope: OrganisationScope,
    row: ImportRow,
    { target, losses, number, here: { at } }: Settled,
    tx: Transaction,
  ): Promise<ImportRow> {
    const held = await this.imports.hold(scope, row, {}, tx);
    const lost = { at, title: target.name, chat: null, losses, by: 'projects', number } as const;
    await this.losses.add(scope, held, lost, tx);
    const set = { projects: [...(held.projects ?? []), target], losses: held.losses + losses.length };
    return this.imports.hold(scope, row, set, tx);
  }
}

/**
 * Returns the name that the import settings propose, such as “ChatGPT project 2”. The number counts only projects
 * without a name.
 */
function defaultNameOf(all: readonly ReportedProject[], found: ReportedProject, source: ImportSource): string {
  const unnamed = all.filter((one) => one === found || (one.name === null && one.state !== 'here'));
  return `${sourceNames[source]} project ${unnamed.indexOf(found) + 1}`;
}

/** Counts characters as the contract does: an emoji of two code units is one. */
const firstCharacters = (text: string, most: number): string =>
  Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join('')
    .toWellFormed();
