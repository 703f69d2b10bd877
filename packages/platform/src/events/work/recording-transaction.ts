import type { DataOf, EventDefinition, EventEnvelope } from '@parley/protocol';
import type { ClientSession } from 'mongoose';
import type { Mongo, Transaction } from '../../rows/mongo/index.ts';
import type { Origin, Outbox, Recorded } from '../outbox/index.ts';
import { actingOnEvent } from './actor.ts';
import { callContext, contextOfEvent, type CallContext } from '../../base/call-context.ts';

/** The transaction that this module opens: it keeps what is recorded until the commit. */
export class RecordingTransaction implements Transaction {
  constructor(
    readonly session: ClientSession,
    private readonly origin: Origin,
    private readonly recorded: Recorded[] = [],
  ) {}

  record<Definition extends EventDefinition>(
    definition: Definition,
    data: DataOf<Definition>,
    { sequence }: { readonly sequence?: number } = {},
  ): void {
    const checked = definition.data.parse(data) as Recorded['data'];
    this.recorded.push({ definition, data: checked, sequence, origin: this.origin });
  }

  /**
   * Runs the handling of one event within this transaction: what it records names the event as its cause, and so does
   * what it calls.
   */
  handling<Result>(event: EventEnvelope, service: string, handle: (tx: Transaction) => Result): Result {
    const context = contextOfEvent(event);
    const origin = { ...actingOnEvent(service, event), ...originOf(context) };
    return callContext.run(context, () => handle(new RecordingTransaction(this.session, origin, this.recorded)));
  }

  /** Writes what was recorded, as the last thing before the commit. Tells whether there was anything. */
  async writeTo(outbox: Outbox, actorName: string | null): Promise<boolean> {
    if (this.recorded.length === 0) return false;
    await outbox.accompanied(await outbox.write(this.recorded, this.session), this, actorName);
    return true;
  }
}

/** The context as an envelope names it. */
export function originOf(context: CallContext): Omit<Origin, 'actor' | 'onbehalfof'> {
  return { correlationid: context.correlationId, causationid: context.causationId, traceparent: context.traceparent };
}

/**
 * Runs `act` in one transaction, writes its events, commits and wakes the relay. On a write conflict the whole of `act`
 * runs again and what it had recorded is forgotten.
 */
export async function commitWork<Result>(
  { mongo, outbox }: { readonly mongo: Mongo; readonly outbox: Outbox },
  { actorName = null, ...origin }: Origin & { readonly actorName?: string | null },
  act: (tx: RecordingTransaction) => Promise<Result>,
): Promise<Result> {
  let hasEvents = false;
  const result = await mongo.transaction(async (session) => {
    const tx = new RecordingTransaction(session, origin);
    const done = await act(tx);
    hasEvents = await tx.writeTo(outbox, actorName);
    return done;
  });
  if (hasEvents) outbox.wake();
  return result;
}
