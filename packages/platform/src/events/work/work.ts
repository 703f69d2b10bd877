import type { DataOf, EventDefinition } from '@parley/protocol';
import type { Transaction } from '../../rows/mongo/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import type { Mongo } from '../../rows/mongo/index.ts';
import { Outbox, type BeforeCommit, type Origin, type Recorded } from '../outbox/index.ts';
import { actingAs, type Actor } from './actor.ts';
import { callContext } from '../../base/call-context.ts';
import { commitWork, originOf, type WorkParts } from './recording-transaction.ts';

/** Returns the actor and the cause of the running code, in the form of an envelope. */
export const originFor = (actor: Actor): Origin => ({ ...actingAs(actor), ...originOf(callContext.current()) });

/** Returns the unit of work of a data migration: its events are published once the service runs. */
export const workOfMigration = (mongo: Mongo, source: string): Work =>
  new Work({ outbox: new Outbox({ mongo, doorbell: new MemoryDoorbell(), source }) });

/** Runs the units of work that change the state of a service. */
export class Work {
  constructor(private readonly parts: WorkParts) {}

  /**
   * Runs `act` in one transaction and commits: writes and recorded events become visible together, or none does. The
   * events are published soon after the commit without another call. After a write conflict the whole of `act` runs
   * again, so it must have no effect outside the transaction and no parallel operations inside.
   */
  run<Result>(actor: Actor, act: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const actorName = actor.kind === 'person' ? actor.name : null;
    return commitWork(this.parts, { ...originFor(actor), actorName }, act);
  }

  /**
   * Records one event without a transaction, after a change of one row that was written without one, too. If the
   * process ends between the two, the event is lost. It must be the only event of its key, and it isn't audited.
   */
  record<Definition extends EventDefinition>(
    actor: Actor,
    definition: Definition,
    data: DataOf<Definition>,
  ): Promise<void> {
    const checked = definition.data.parse(data) as Recorded['data'];
    return this.parts.outbox.writeAlone({ definition, data: checked, sequence: 1, origin: originFor(actor) });
  }

  /**
   * Calls `act` from now on with the events that a transaction of this service recorded, including consumers', as the
   * last step before its commit. Writes of `act` with the transaction commit with the events; if `act` throws, no write
   * commits. `act` records no events itself.
   */
  accompany(act: BeforeCommit): void {
    this.parts.outbox.accompany(act);
  }
}
