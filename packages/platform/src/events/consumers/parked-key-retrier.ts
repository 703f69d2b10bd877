import { every } from '../../base/every/index.ts';
import type { Consumer, ConsumerSurroundings } from './consumer.ts';
import { EventRejected } from './consumer-handlers.ts';
import type { OpenTransaction } from './consumer-store.ts';
import type { LoggedEvent, ParkedEventRow, ParkedKeyRow } from './consumer.collection.ts';
import { ParkedKeys } from './parked-keys.ts';

const leaseMs = 30_000;
/**
 * Sets the time between two reads of parked keys, which find keys that another process postponed or replayed. This
 * process knows its own keys.
 */
const sweepMs = 5_000;
const afterOutageMs = 1_000;

/** Retries parked keys that are due, each from its oldest event, until the key is empty or fails again. */
export class ParkedKeyRetrier {
  private readonly upkeep = every('tries parked keys again', sweepMs, () => this.tryDue());
  private readonly timers = new Set<NodeJS.Timeout>();
  private isClosed = false;

  constructor(
    private readonly surroundings: Omit<ConsumerSurroundings, 'retryIn'>,
    private readonly consumers: ReadonlyMap<string, Consumer>,
  ) {}

  start(): void {
    this.upkeep.start(this.surroundings.logger);
  }

  wakeIn(ms: number): void {
    if (this.isClosed) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.upkeep.wake(0);
    }, ms + 1).unref();
    this.timers.add(timer);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const timer of this.timers) clearTimeout(timer);
    await this.upkeep.stop();
  }

  private async tryDue(): Promise<void> {
    const { store } = this.surroundings;
    while (!this.isClosed && !(await store.isNoneParked())) {
      const now = new Date();
      const due = {
        consumer: { $in: [...this.consumers.keys()] },
        state: 'retrying' as const,
        nextAttemptAt: { $lte: now },
        leaseUntil: { $lte: now },
      };
      // Reads before it writes: usually no key is due, and a write would wake the disk each time.
      if (!(await store.parkedKeys().exists(due))) return;
      const leased = { $set: { leaseUntil: new Date(now.getTime() + leaseMs) } };
      const key = await store.parkedKeys().change(due, leased, { sort: { nextAttemptAt: 1 } });
      const consumer = key && this.consumers.get(key.consumer);
      if (consumer) await this.drain(key, consumer);
    }
  }

  /** Frees the key. Returns false if an event was appended meanwhile. */
  private free({ _id, appended }: ParkedKeyRow): Promise<boolean> {
    return this.surroundings.store.parkedKeys().delete({ _id, appended });
  }

  private async drain(leased: ParkedKeyRow, consumer: Consumer): Promise<void> {
    const { parkedKeys, parkedEvents } = this.surroundings.store;
    let { attempts } = leased;
    while (!this.isClosed) {
      const key = await this.renew(leased);
      if (!key) return;
      const next = await parkedEvents().findOne({ key: key._id }, { sort: { key: 1, ordinal: 1 } });
      if (!next) {
        if (await this.free(key)) return;
        continue;
      }
      const failure = await this.tryOne(next, consumer);
      if (failure?.error instanceof TakenElsewhere) return;
      if (failure) return this.postpone(next, { ...failure, attempts: attempts + 1 });
      attempts = 0;
    }
    await parkedKeys().update({ _id: leased._id }, { $set: { leaseUntil: new Date(0), attempts } });
  }

  /** Renews the lease of the key; returns null if the lease has ended and another process can have the key. */
  private async renew(leased: ParkedKeyRow): Promise<ParkedKeyRow | null> {
    const parkedKeys = this.surroundings.store.parkedKeys();
    const current = { _id: leased._id, leaseUntil: leased.leaseUntil };
    if (leased.leaseUntil.getTime() - Date.now() > leaseMs / 2) return parkedKeys.findOne(current);
    leased.leaseUntil = new Date(Date.now() + leaseMs);
    return parkedKeys.change(current, { $set: { leaseUntil: leased.leaseUntil } });
  }

  /** Handles a parked event. Returns null if it is handled, or is rejected and became a dead letter. */
  private async tryOne(parked: ParkedEventRow, consumer: Consumer): Promise<Failed | null> {
    const { store } = this.surroundings;
    const isOutage = this.surroundings.health.attempt();
    try {
      await this.surroundings.commit(async (tx) => {
        await consumer.retake(parked.envelope, tx);
        await this.takeOff(parked, tx);
        await store.deadLetters(tx).update({ _id: parked._id }, { $set: { replayedAt: new Date(), key: null } });
      });
      await this.surroundings.failpoint('effect-committed');
      return null;
    } catch (error) {
      if (!(error instanceof EventRejected)) return { error, isOutage: isOutage(error) };
      const { envelope } = parked;
      this.surroundings.onDeadLetter({ consumer: consumer.handler.consumer, error, envelope });
      await store.transaction(async (tx) => {
        await this.takeOff(parked, tx);
        await new ParkedKeys(store, consumer.handler.consumer).bury(
          { logged: loggedOf(parked), error },
          { reason: 'rejected', attempts: 1, key: null },
          tx,
        );
      });
      return null;
    }
  }

  private async takeOff(parked: ParkedEventRow, tx: OpenTransaction): Promise<void> {
    const isMine = await this.surroundings.store.parkedEvents(tx).delete({ _id: parked._id });
    if (!isMine) throw new TakenElsewhere(`The parked event ${parked._id} was taken by another process.`);
  }

  private async postpone(parked: ParkedEventRow, failure: Failed & { attempts: number }): Promise<void> {
    const { store, retryDelaysMs, logger } = this.surroundings;
    const key = { _id: parked.key };
    const leaseUntil = new Date(0);
    if (failure.isOutage) {
      const nextAttemptAt = new Date(Date.now() + afterOutageMs);
      await store.parkedKeys().update(key, { $set: { leaseUntil, nextAttemptAt } });
      return this.wakeIn(afterOutageMs);
    }
    const consumer = parked._id.slice(0, parked._id.lastIndexOf('|'));
    const delayMs = retryDelaysMs[failure.attempts - 1];
    const context = {
      err: failure.error,
      consumer,
      eventId: parked.eventId,
      type: parked.type,
      attempts: failure.attempts,
    };
    if (delayMs !== undefined) {
      logger.warn(context, 'an event failed again; its key waits for the next retry');
      const nextAttemptAt = new Date(Date.now() + delayMs);
      await store.parkedKeys().update(key, { $set: { attempts: failure.attempts, leaseUntil, nextAttemptAt } });
      return this.wakeIn(delayMs);
    }
    logger.error(context, 'an event failed too often; kept as a dead letter, its key is parked for this consumer');
    this.surroundings.onDeadLetter({ consumer, error: failure.error, envelope: parked.envelope });
    await store.transaction(async (tx) => {
      await new ParkedKeys(store, consumer).bury(
        { logged: loggedOf(parked), error: failure.error },
        { reason: 'failed', attempts: failure.attempts, key: parked.key },
        tx,
      );
      await store.parkedKeys(tx).update(key, { $set: { state: 'stopped', attempts: failure.attempts, leaseUntil } });
    });
  }
}

/** Adds the tenant, which rows from before there were tenants don't have. */
function loggedOf({ _id, key: _key, ordinal: _ordinal, ...logged }: ParkedEventRow): LoggedEvent {
  return { ...logged, tenant: logged.tenant ?? null };
}

class TakenElsewhere extends Error {}

type Failed = { readonly error: unknown; readonly isOutage: boolean };
