import { FairQueue, FairTurns, type Flows, type FlowKey } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import type { ConnectionRow, ConnectionsRepository } from '../connections/index.ts';
import type { SyncRun } from './sync-run.ts';

/** Syncs that one process runs, half of them of one flow; of an organisation one runs at a time in all processes together. */
const mostRuns = 4;
const mostSeen = 100;
/** So long a sync runs before others that wait get its turn; it goes on where it was when it has its next one. */
const turnMs = 20_000;
const jobs = jobScope('syncing data connections');

type Running = { readonly key: FlowKey; readonly since: Date; isAsked: boolean };
type Parts = {
  readonly connections: Pick<ConnectionsRepository, 'listWaiting' | 'nextWaiting' | 'listLeft' | 'listBusy'>;
  readonly flows: Pick<Flows, 'of'>;
};

/** Whose sync runs when: by turns, so that sites that are slow for hours keep nobody waiting for longer than a turn. */
export class SyncTurns {
  private readonly turns = new FairTurns(mostRuns);
  private readonly queue: FairQueue<ConnectionRow>;
  private readonly running = new Map<SyncRun, Running>();

  constructor(private readonly parts: Parts) {
    this.queue = new FairQueue({
      turns: this.turns,
      waitingOf: (row) => ({ ...this.flowOf(row), arrivedAt: row.queuedAt ?? row.createdAt }),
      next: (last) => parts.connections.nextWaiting(jobs, last),
    });
  }

  /** What may begin or go on, in the order of its turns. */
  async inOrder(now: Date): Promise<ConnectionRow[]> {
    const { connections } = this.parts;
    const [left, waiting] = [await connections.listLeft(jobs, now), await connections.listWaiting(jobs, mostSeen)];
    const all = await this.queue.inOrder([...left, ...waiting], left.length + mostSeen);
    const unfinished = new Set(left.map(({ orgId }) => orgId));
    const busy = new Set(await connections.listBusy(jobs, now));
    return all.filter(
      ({ orgId, syncState }) => !busy.has(orgId) && (syncState === 'running' || !unfinished.has(orgId)),
    );
  }

  /** Null when no slot is free for its flow; then a sync that had its turn is asked to give up its own. */
  begin(row: ConnectionRow, now: Date): (() => void) | null {
    const key = this.flowOf(row);
    const end = this.turns.begin(key);
    if (!end) this.askForTurn(key, now);
    return end;
  }

  started(run: SyncRun, now: Date): void {
    this.running.set(run, { key: this.flowOf(run.connection), since: now, isAsked: false });
  }

  ended(run: SyncRun): void {
    this.running.delete(run);
  }

  private flowOf({ orgId, createdBy }: ConnectionRow): FlowKey {
    return { flow: this.parts.flows.of(orgId), person: createdBy?.userId ?? '' };
  }

  /** The one that runs for longest, of the same flow where that has its half. One for each that waits. */
  private askForTurn({ flow }: FlowKey, now: Date): void {
    const isFull = this.turns.hasItsHalf(flow);
    for (const [run, running] of this.running) {
      const hadItsTurn = now.getTime() - running.since.getTime() >= turnMs;
      if (running.isAsked || !hadItsTurn || (isFull && running.key.flow !== flow)) continue;
      running.isAsked = true;
      run.giveTurn();
      return;
    }
  }
}
