import type { DataOf, EventDefinition, EventEnvelope } from '@parley/protocol';
import type { ClientSession } from 'mongoose';
import type { JobDefinition } from '../../base/job-definition.ts';
import type { JobChange, JobQueue } from '../../rows/jobs/index.ts';
import type { Mongo, Transaction } from '../../rows/mongo/index.ts';
import type { Origin, Outbox, Recorded } from '../outbox/index.ts';
import { actingOnEvent } from './actor.ts';
import { callContext, contextOfEvent, type CallContext } from '../../base/call-context.ts';

type Written = { readonly hasEvents: boolean; readonly changes: readonly JobChange[] };

/** The transaction that this module opens: it keeps what is recorded until the commit. */
export class RecordingTransaction implements Transaction {
  constructor(
    readonly session: ClientSession,
    private readonly origin: Origin,
    private readonly jobs: JobQueue,
    private readonly recorded: Recorded[] = [],
    private readonly changes: JobChange[] = [],
  ) {}

  record<Definition extends EventDefinition>(
    definition: Definition,
    data: DataOf<Definition>,
    { sequence }: { readonly sequence?: number } = {},
  ): void {
    const checked = definition.data.parse(data) as Recorded['data'];
    this.recorded.push({ definition, data: checked, sequence, origin: this.origin });
  }

  queue<Input>(job: JobDefinition<Input>, input: Input, { at }: { readonly at?: Date } = {}): void {
    this.changes.push(this.jobs.toQueue(job, input, at));
  }

  cancel<Input>(job: JobDefinition<Input>, key: string): void {
    this.changes.push(this.jobs.toCancel(job, key));
  }

  /**
   * Runs the handling of one event within this transaction: what it records names the event as its cause, and so does
   * what it calls.
   */
  handling<Result>(event: EventEnvelope, service: string, handle: (tx: Transaction) => Result): Result {
    const context = contextOfEvent(event);
    const origin = { ...actingOnEvent(service, event), ...originOf(context) };
    return callContext.run(context, () =>
      handle(new RecordingTransaction(this.session, origin, this.jobs, this.recorded, this.changes)),
    );
  }

  /** Writes what was recorded and the jobs, as the last thing before the commit. Tells what there was. */
  async writeTo(outbox: Outbox, actorName: string | null): Promise<Written> {
    const hasEvents = this.recorded.length > 0;
    if (hasEvents) await outbox.accompanied(await outbox.write(this.recorded, this.session), this, actorName);
    if (this.changes.length > 0) await this.jobs.write(this.changes, this);
    return { hasEvents, changes: this.changes };
  }
}

/** The context as an envelope names it. */
export function originOf(context: CallContext): Omit<Origin, 'actor' | 'onbehalfof'> {
  return { correlationid: context.correlationId, causationid: context.causationId, traceparent: context.traceparent };
}

/**
 * Runs `act` in one transaction, writes its jobs and events, commits, and wakes workers and relay. On a write conflict the
 * whole of `act` runs again and what it had recorded is forgotten.
 */
export async function commitWork<Result>(
  { mongo, outbox }: WorkParts,
  { actorName = null, ...origin }: Origin & { readonly actorName?: string | null },
  act: (tx: RecordingTransaction) => Promise<Result>,
): Promise<Result> {
  let written: Written = { hasEvents: false, changes: [] };
  const result = await mongo.transaction(async (session) => {
    const tx = new RecordingTransaction(session, origin, outbox.jobs);
    const done = await act(tx);
    written = await tx.writeTo(outbox, actorName);
    return done;
  });
  if (written.hasEvents) outbox.wake();
  outbox.jobs.ring(written.changes);
  return result;
}

/** What a unit of work writes to. */
export type WorkParts = { readonly mongo: Mongo; readonly outbox: Outbox };
