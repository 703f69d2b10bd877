import { Injectable } from '@nestjs/common';
import type { BrokenChat, OpenedExport, ReadChat } from '@parley/chat-exports';
import type { JobRun } from '@parley/platform/jobs';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { eachChat } from './each-chat.ts';
import { GrownChats } from './grown-chats.ts';
import { isOfChat } from './import-faults.ts';
import type { ImportRow } from './import.collection.ts';
import { ImportProjects, type Described } from './import-projects.ts';
import { assertMayImport, type Importer } from './import-rights.ts';
import { ImportLosses } from './import-losses.ts';
import { ImportedChats } from './imported-chats.ts';
import { ImportsRepository, LostImport, type Change } from './imports.repository.ts';
import { NamedChatbots } from './named-chatbots.ts';
import { NewChats } from './new-chats.ts';

const tellMs = 2_000;
const importing = job('imports chats');

type Running = { readonly opened: OpenedExport; readonly run: JobRun };

type Here = Running & { readonly described: Described; readonly row: ImportRow; readonly at: number };

/** Imports chat after chat, from where the import is on. */
@Injectable()
export class ImportExport {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly chats: ImportedChats,
    private readonly fresh: NewChats,
    private readonly grown: GrownChats,
    private readonly projects: ImportProjects,
    private readonly chatbots: NamedChatbots,
    private readonly losses: ImportLosses,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  async run(scope: OrganisationScope, row: ImportRow, { opened, run }: Running): Promise<void> {
    const { described, isDone, ...brought } = await this.projects.bring(scope, row, { opened, run });
    if (!isDone) return this.release(scope, brought.row, {});
    let current = brought.row;
    let { at } = row;
    let toldAt = performance.now();
    const reading = { from: row.at, isOfChat: (error: unknown) => at < row.of && isOfChat(run, error) };
    for await (const chat of eachChat(opened, reading)) {
      run.signal.throwIfAborted();
      current = await this.one(scope, { row: current, at, opened, run, described }, chat);
      at += 1;
      run.progressed();
      if (performance.now() - toldAt >= tellMs) {
        toldAt = performance.now();
        current = await this.keep(scope, current, { at });
      }
      if (current.status !== 'importing') return this.release(scope, current, { at });
      if (run.shouldMakeRoom) return this.release(scope, current, { at });
    }
    await this.finish(scope, current, at);
  }

  /** One that fails again and again is left out; anything else is thrown. */
  private async one(scope: OrganisationScope, here: Here, chat: ReadChat | BrokenChat): Promise<ImportRow> {
    // The check listed the other broken ones.
    if (chat.kind === 'broken') return chat.reason === 'internal' ? this.leaveOut(scope, here, chat) : here.row;
    try {
      return await this.write(scope, here, chat);
    } catch (err) {
      if (here.run.signal.aborted || !isOfChat(here.run, err)) throw err;
      const { orgId, _id: importId } = here.row;
      this.platform.logger.error({ orgId, importId, at: here.at, err }, 'an import left out a chat');
      return this.leaveOut(scope, here, chat);
    }
  }

  private async leaveOut(scope: OrganisationScope, { row, at }: Here, chat: ReadChat | BrokenChat): Promise<ImportRow> {
    return this.work.run(importing, async (tx) => {
      const held = await this.imports.hold(scope, row, {}, tx);
      const losses = [{ reason: 'internal', message: null, name: null }] as const;
      const lost = { at, title: chat.title ?? '', chat: chat.sourceId, losses, by: 'import' } as const;
      await this.losses.add(scope, held, lost, tx);
      const set = { at: at + 1, losses: held.losses + 1 };
      return this.imports.hold(scope, row, set, tx);
    });
  }

  private async write(
    scope: OrganisationScope,
    { row, at, opened: { source }, run: { signal }, described }: Here,
    chat: ReadChat,
  ): Promise<ImportRow> {
    const state = await this.chats.stateOf(scope, { userId: row.userId, source }, chat);
    if (state.kind === 'known' || (state.kind === 'deleted' && !row.isAgain)) return row;
    const importer: Importer = await assertMayImport(this.platform, row);
    const chatbots = source === 'parley' ? await this.chatbots.of(scope, importer) : null;
    const here = { row, source, at, chatbots };
    if (state.kind === 'grown') return this.grown.write(scope, here, { chat, state, signal });
    const project = chat.project?.id;
    const placing = { source, at, importer };
    const placed = project ? await this.projects.ensure(scope, row, { project, here: placing, described }) : row;
    return this.fresh.write(scope, { ...here, row: placed }, { chat, state, signal });
  }

  /** The import as it is then: it may have been paused or stopped. */
  private async keep(scope: OrganisationScope, row: ImportRow, set: Change): Promise<ImportRow> {
    const kept = await this.work.run(importing, (tx) => this.imports.tell(scope, row, { set }, tx));
    if (!kept) throw new LostImport();
    return kept;
  }

  private async release(scope: OrganisationScope, row: ImportRow, set: Change): Promise<void> {
    const released = { isRunning: false, holder: null };
    await this.keep(scope, row, { ...set, ...released });
  }

  private async finish(scope: OrganisationScope, row: ImportRow, at: number): Promise<void> {
    const released = { isWanted: false, isRunning: false, holder: null };
    const set = { at, status: 'done', failure: null, isSettling: true, ...released } as const;
    const done = await this.work.run(importing, (tx) =>
      this.imports.tell(scope, row, { set, status: 'importing' }, tx),
    );
    // Paused or stopped with its last chat.
    if (!done) await this.release(scope, row, { at });
  }
}
