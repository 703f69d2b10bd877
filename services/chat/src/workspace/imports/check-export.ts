import { Injectable } from '@nestjs/common';
import type { BrokenChat, OpenedExport, ReadChat } from '@parley/chat-exports';
import type { LossReason } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { JobRun } from '@parley/platform/jobs';
import type { OrganisationScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { branchesIn, withinBounds } from './chat-plan.ts';
import { eachChat } from './each-chat.ts';
import { findFiles } from './found-files.ts';
import { FoundProjects } from './found-projects.ts';
import { isOfChat } from './import-faults.ts';
import type { ImportRow } from './import.collection.ts';
import { emptyReport, type Counting } from './import.ts';
import { ImportLosses, type NewLoss } from './import-losses.ts';
import { ImportedChats, type ChatState } from './imported-chats.ts';
import { ImportsRepository, LostImport } from './imports.repository.ts';
import { KnownProjects } from './known-projects.ts';

/** Progress is kept and told so often. */
const tellMs = 2_000;
const checking = job('checks uploads of chats');

/** Reads an upload once and counts what is in it, what is here, and what can't be imported. */
@Injectable()
export class CheckExport {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly chats: ImportedChats,
    private readonly projects: KnownProjects,
    private readonly losses: ImportLosses,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** What an earlier attempt has found is found again. */
  async run(
    scope: OrganisationScope,
    row: ImportRow,
    { opened, run }: { readonly opened: OpenedExport; readonly run: JobRun },
  ): Promise<void> {
    const began = performance.now();
    await this.losses.deleteAll(scope, row._id);
    const report = emptyReport();
    const projects = new FoundProjects();
    let current = row;
    let [at, lost, toldAt] = [0, 0, began];
    const reading = { from: 0, isOfChat: (error: unknown) => isOfChat(run, error) };
    for await (const chat of eachChat(opened, reading)) {
      run.signal.throwIfAborted();
      const losses = await this.count(scope, { row, run, source: opened.source }, { chat, report, projects });
      if (losses.length > 0) {
        const chatTitle = chat.title ?? '';
        const found = { at, title: chatTitle, chat: chat.sourceId, losses, by: 'check' } as const;
        await this.losses.add(scope, { ...current, losses: lost }, found);
        lost += losses.length;
      }
      at += 1;
      if (performance.now() - toldAt < tellMs) continue;
      toldAt = performance.now();
      current = await this.keep(scope, current, { at, losses: lost });
    }
    const whose = { userId: row.userId, source: opened.source };
    const { ofProjects: files, ...filesFound } = await findFiles(this.projects, { scope, whose, opened });
    const found = await projects.report(this.projects, { scope, whose, described: await opened.projects(), files });
    Object.assign(report, filesFound, found.projects && { projects: found.projects });
    report.others = [
      ...(await opened.others()).map((other) => ({ ...other, names: [...other.names] })),
      ...found.others,
    ];
    const checkedMs = Math.round(performance.now() - began);
    await this.finish(scope, current, { report, checkedMs, lost, at, source: opened.source });
  }

  private async count(
    scope: OrganisationScope,
    { row, run, source }: { row: ImportRow; run: JobRun; source: OpenedExport['source'] },
    { chat, report, projects }: { chat: ReadChat | BrokenChat; report: Counting; projects: FoundProjects },
  ): Promise<NewLoss[]> {
    const { chats } = report;
    // A lost part holds an unknown number of chats, so it is reported as a missing part instead of a chat.
    if (chat.kind === 'broken' && chat.part !== undefined)
      return [{ reason: chat.reason, message: null, name: chat.part === null ? null : String(chat.part) }];
    chats.found += 1;
    if (chat.kind === 'broken') {
      chats[chat.reason === 'no-messages' ? 'empty' : 'broken'] += 1;
      return [{ reason: chat.reason, message: null, name: null }];
    }
    const state = await this.chats.stateOf(scope, { userId: row.userId, source }, chat);
    try {
      projects.count(chat, state);
      return countChat(report, chat, state);
    } catch (error) {
      if (!isOfChat(run, error)) throw error;
      chats.broken += 1;
      return [{ reason: 'internal', message: null, name: null }];
    }
  }

  private async keep(
    scope: OrganisationScope,
    row: ImportRow,
    set: { at: number; losses: number },
  ): Promise<ImportRow> {
    const kept = await this.work.run(checking, (tx) => this.imports.tell(scope, row, { set, status: 'checking' }, tx));
    if (!kept) throw new LostImport();
    return kept;
  }

  private async finish(
    scope: OrganisationScope,
    row: ImportRow,
    found: { report: Counting; checkedMs: number; lost: number; at: number; source: OpenedExport['source'] },
  ): Promise<void> {
    const { report, checkedMs, source, lost: losses, at: of } = found;
    const released = { isWanted: false, isRunning: false, holder: null };
    const set = { status: 'checked', report, checkedMs, source, losses, of, at: 0, ...released } as const;
    await this.work.run(checking, (tx) => this.imports.tell(scope, row, { set, status: 'checking' }, tx));
  }
}

/** Counts a chat, and returns what of it is not imported. */
export function countChat(report: Counting, chat: ReadChat, state: ChatState): NewLoss[] {
  const { chats, messages, branches, files } = report;
  messages.found += chat.messages.length;
  branches.found += branchesIn(chat.messages);
  const fileCount = (some: ReadChat['messages']) => some.reduce((sum, message) => sum + message.files.length, 0);
  const missing = chat.losses.filter(({ what }) => what === 'file-not-in-export').length;
  const isUnsupported = (what: LossReason) => what === 'file-type-not-supported' || what === 'file-protected';
  const unsupported = chat.losses.filter(({ what }) => isUnsupported(what)).length;
  files.found += fileCount(chat.messages) + missing + unsupported;
  if (state.kind === 'known') chats.known += 1;
  if (state.kind === 'deleted') chats.deleted += 1;
  if (state.kind === 'known' || state.kind === 'deleted') return [];
  if (state.kind === 'grown') chats.grown += 1;
  else chats.toImport += 1;
  const { kept, losses } = withinBounds(chat);
  const added = state.kind === 'grown' ? kept.filter(({ sourceId }) => state.isNew(sourceId)) : kept;
  messages.toImport += added.length;
  branches.toImport += branchesIn(kept) - (state.kind === 'grown' ? branchesIn(without(kept, added)) : 0);
  files.toImport += fileCount(added);
  files.missing += missing;
  files.unsupported += unsupported;
  const isNew = (id: string | null) => state.kind !== 'grown' || id === null || state.isNew(id);
  const ofReader = chat.losses
    .filter(({ messageId }) => isNew(messageId))
    .map(({ messageId, what, name }) => ({ reason: what satisfies LossReason, message: messageId, name }));
  return [...ofReader, ...losses.filter(({ message }) => isNew(message))];
}

function without(all: ReadChat['messages'], some: ReadChat['messages']): ReadChat['messages'] {
  const left = new Set(some);
  return all.filter((message) => !left.has(message));
}
