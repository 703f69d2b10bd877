import { Injectable } from '@nestjs/common';
import { importsChanged } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { toldOf } from './check-export.ts';
import { GrownChats } from './grown-chats.ts';
import { LostImport } from './import-fence.ts';
import type { ImportRow } from './import.collection.ts';
import { ImportedChats } from './imported-chats.ts';
import { ImportsRepository, type Change } from './imports.repository.ts';
import { NewChats } from './new-chats.ts';
import type { OpenedExport, ReadChat } from './reading/index.ts';

const tellMs = 2_000;
/** So long an import has its turn while others wait. */
const turnMs = 20_000;
const importing = job('imports chats');

type Running = {
  readonly opened: OpenedExport;
  readonly signal: AbortSignal;
  /** Whether somebody else waits for a turn. */
  readonly othersWait: () => boolean;
};

/** Imports chat after chat, from where the import is on. */
@Injectable()
export class ImportExport {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly chats: ImportedChats,
    private readonly fresh: NewChats,
    private readonly grown: GrownChats,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async run(scope: OrganisationScope, row: ImportRow, { opened, signal, othersWait }: Running): Promise<void> {
    const began = performance.now();
    let current = row;
    let { at } = row;
    let toldAt = began;
    for await (const chat of opened.chats(row.at)) {
      signal.throwIfAborted();
      if (chat.kind === 'chat') current = await this.one(scope, { row: current, at, opened, signal }, chat);
      at += 1;
      if (performance.now() - toldAt >= tellMs) {
        toldAt = performance.now();
        current = await this.keep(scope, current, { at });
      }
      if (current.status !== 'importing') return this.release(scope, current, { at });
      if (performance.now() - began > turnMs && othersWait())
        return this.release(scope, current, { at, wantedAt: this.clock.now() });
    }
    await this.finish(scope, current, at);
  }

  private async one(
    scope: OrganisationScope,
    { row, at, opened: { source }, signal }: { row: ImportRow; at: number } & Pick<Running, 'opened' | 'signal'>,
    chat: ReadChat,
  ): Promise<ImportRow> {
    const state = await this.chats.stateOf(scope, { userId: row.userId, source }, chat);
    const here = { row, source, at };
    if (state.kind === 'known' || (state.kind === 'deleted' && !row.isAgain)) return row;
    if (state.kind === 'grown') return this.grown.write(scope, here, { chat, state, signal });
    return this.fresh.write(scope, here, { chat, round: state.round, signal });
  }

  /** The import as it is then: it may have been paused or stopped. */
  private async keep(scope: OrganisationScope, row: ImportRow, set: Change): Promise<ImportRow> {
    const kept = await this.work.run(importing, async (tx) => {
      const now = await this.imports.keep(scope, row, { set }, tx);
      if (now) tx.record(importsChanged, toldOf(now));
      return now;
    });
    if (!kept) throw new LostImport();
    return kept;
  }

  private async release(scope: OrganisationScope, row: ImportRow, set: Change): Promise<void> {
    const released = { isRunning: false, holder: null, failures: 0, dueAt: this.clock.now() };
    await this.keep(scope, row, { ...set, ...released });
  }

  private async finish(scope: OrganisationScope, row: ImportRow, at: number): Promise<void> {
    const released = { isWanted: false, isRunning: false, holder: null, dueAt: this.clock.now() };
    const set = { at, status: 'done', failure: null, isSettling: true, ...released } as const;
    const done = await this.work.run(importing, async (tx) => {
      const ended = await this.imports.keep(scope, row, { set, status: 'importing' }, tx);
      if (ended) tx.record(importsChanged, toldOf(ended));
      return ended;
    });
    // Paused or stopped with its last chat.
    if (!done) await this.release(scope, row, { at });
  }
}
