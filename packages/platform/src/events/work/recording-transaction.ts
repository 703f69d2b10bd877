import type { DataOf, EventDefinition, EventEnvelope } from '@parley/protocol';
import type { JobDefinition } from '../../base/job-definition.ts';
import type { JobChange, JobQueue } from '../../rows/jobs/index.ts';
import type { Transaction } from '../../rows/mongo/index.ts';
import type { EventTransaction } from '../event-bus/local-log.ts';
import type { Origin, Outbox, Recorded } from '../outbox/index.ts';
import { actingOnEvent } from './actor.ts';
import { callContext, contextOfEvent, type CallContext } from '../../base/call-context.ts';

type Kept = {
  readonly now: Date;
  readonly jobs: JobQueue;
  readonly recorded: Recorded[];
  readonly changes: JobChange[];
};
type Written = { readonly hasEvents: boolean; readonly changes: readonly JobChange[] };

/** A transaction that keeps recorded events until the commit. */
export class RecordingTransaction implements Transaction {
  constructor(
    private readonly opened: EventTransaction,
    private readonly origin: Origin,
    private readonly kept: Kept,
  ) {}

  get session(): Transaction['session'] {
    return this.opened.session;
  }

  get now(): Date {
    return this.kept.now;
  }

  record<Definition extends EventDefinition>(
    definition: Definition,
    data: DataOf<Definition>,
    { sequence }: { readonly sequence?: number } = {},
  ): void {
    const checked = definition.data.parse(data) as Recorded['data'];
    this.kept.recorded.push({ definition, data: checked, sequence, origin: this.origin });
  }

  queue<Input>(job: JobDefinition<Input>, input: Input, { at }: { readonly at?: Date } = {}): void {
    this.kept.changes.push(this.kept.jobs.toQueue(job, input, at));
  }

  cancel<Input>(job: JobDefinition<Input>, key: string): void {
    this.kept.changes.push(this.kept.jobs.toCancel(job, key));
  }

  /**
   * Handles one event within this transaction: events that `handle` records, and calls that it makes, name the event as
   * their cause.
   */
  handling<Result>(event: EventEnvelope, service: string, handle: (tx: Transaction) => Result): Result {
    const context = contextOfEvent(event);
    const origin = { ...actingOnEvent(service, event), ...originOf(context) };
    return callContext.run(context, () => handle(new RecordingTransaction(this.opened, origin, this.kept)));
  }

  /** Writes recorded events and jobs, as the last step before the commit, and returns them. */
  async writeTo(outbox: Outbox, actorName: string | null): Promise<Written> {
    const { recorded, changes, jobs } = this.kept;
    const hasEvents = recorded.length > 0;
    if (hasEvents) await outbox.accompanied(await outbox.write(recorded, this.opened), this, actorName);
    if (changes.length > 0) await jobs.write(changes, this);
    return { hasEvents, changes };
  }
}

/** Returns the context in the form of an envelope. */
export function originOf(context: CallContext): Omit<Origin, 'actor' | 'onbehalfof'> {
  return { correlationid: context.correlationId, causationid: context.causationId, traceparent: context.traceparent };
}

/**
 * Runs `act` in one transaction, writes its jobs and events, commits, and wakes workers and relay. After a write
 * conflict the whole of `act` runs again, and its earlier records are dropped.
 */
export async function commitWork<Result>(
  { outbox }: WorkParts,
  { actorName = null, ...origin }: Origin & { readonly actorName?: string | null },
  act: (tx: RecordingTransaction) => Promise<Result>,
): Promise<Result> {
  let written: Written = { hasEvents: false, changes: [] };
  const result = await outbox.transaction(async (opened) => {
    const kept = { now: outbox.clock.now(), jobs: outbox.jobs, recorded: [], changes: [] };
    const tx = new RecordingTransaction(opened, origin, kept);
    const done = await act(tx);
    written = await tx.writeTo(outbox, actorName);
    return done;
  });
  if (written.hasEvents) outbox.wake();
  outbox.jobs.ring(written.changes);
  return result;
}

export type WorkParts = { readonly outbox: Outbox };
