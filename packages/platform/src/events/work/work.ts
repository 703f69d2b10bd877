import type { Transaction } from '../../rows/mongo/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import type { Mongo } from '../../rows/mongo/index.ts';
import { Outbox, type BeforeCommit, type Origin } from '../outbox/index.ts';
import { actingAs, type Actor } from './actor.ts';
import { callContext } from '../../base/call-context.ts';
import { commitWork, originOf, type WorkParts } from './recording-transaction.ts';

/** Who acts now, and what led to it, as an envelope names them. */
export const originFor = (actor: Actor): Origin => ({ ...actingAs(actor), ...originOf(callContext.current()) });

/** Returns the unit of work of a data migration: what it records is published once the service runs. */
export const workOfMigration = (mongo: Mongo, source: string): Work =>
  new Work({ outbox: new Outbox({ mongo, doorbell: new MemoryDoorbell(), source }) });

/** How a service changes its state. */
export class Work {
  constructor(private readonly parts: WorkParts) {}

  /**
   * Runs `act` in one transaction and commits: writes and recorded events become true together, or none does. The
   * events are published soon after the commit without a further call. On a write conflict the whole of `act` runs
   * again, so it must have no effect outside the transaction, and no parallel operations inside.
   */
  run<Result>(actor: Actor, act: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const actorName = actor.kind === 'person' ? actor.name : null;
    return commitWork(this.parts, { ...originFor(actor), actorName }, act);
  }

  /**
   * From now on runs `act` with what each transaction of this service recorded, consumers' too, as the last thing before
   * its commit: what it writes with the transaction commits with the events, and where it throws nothing does. It records
   * nothing itself.
   */
  accompany(act: BeforeCommit): void {
    this.parts.outbox.accompany(act);
  }
}
