import type { EventEnvelope } from '@parley/protocol';
import type { EventBatch } from '../event-bus/event-bus.ts';
import { isDuplicateKey } from '../../rows/mongo/index.ts';
import type { Consumer, ConsumerSurroundings, Stretch } from './consumer.ts';
import { parkedKeyOf } from './consumer-store.ts';
import type { HandledEvent } from './inbox.ts';
import { KeyFreed, parkedAmong } from './parked-keys.ts';
import { eventsOf, type ConsumedEvent, type ReadEvent } from './read-event.ts';

/** Limits the events of one transaction: 64 for one consumer, 32 for several, which write more per event together. */
const [mostAlone, mostJointly] = [64, 32];
type Share = { readonly consumer: Consumer; readonly stretch: Stretch };
/** The events of one transaction, by the consumer that takes them. */
type Chunk = Map<Consumer, ConsumedEvent[]>;
type Thrown = { readonly error: unknown };

/**
 * Delivers events to the consumers of a service, which share one transaction. If one of them fails, the transaction is
 * rolled back, and each consumer takes the events alone, so that a failing consumer doesn't stop the others.
 */
export class JointDelivery {
  private readonly inTurn = oneByOne();

  constructor(private readonly surroundings: ConsumerSurroundings) {}

  /**
   * Resolves when each consumer has handled or parked each of its events, or made it a dead letter. Rejects if the
   * store is unavailable or a parked key was freed meanwhile: then the batches have to come again.
   */
  async take(batches: readonly EventBatch[], consumers: readonly Consumer[]): Promise<void> {
    for (const chunk of await chunksOf(batches, consumers)) {
      const take = () => this.takeChunk(chunk);
      const isContended = [...chunk.keys()].some((consumer) => consumer.mostTogether !== undefined);
      await (isContended ? this.inTurn(take) : take());
    }
  }

  private async takeChunk(chunk: Chunk): Promise<void> {
    const keyOf = ({ handler }: Consumer, { event }: ConsumedEvent) => parkedKeyOf(handler.consumer, event.subject);
    const keys = [...chunk].flatMap(([consumer, events]) => events.map((consumed) => keyOf(consumer, consumed)));
    const parkedKeys = await parkedAmong(this.surroundings.store, keys);
    const shares: Share[] = [];
    for (const [consumer, events] of chunk) {
      const waiting = events.filter((consumed) => parkedKeys.has(keyOf(consumer, consumed)));
      const parked = new Set(waiting.map(({ event }) => event.subject));
      // Skips handled events: a redelivered event can have been handled before its key was parked.
      const left = parked.size > 0 ? await consumer.withoutHandled(events) : events;
      for (const stretch of stretchesOf(left, parked)) shares.push({ consumer, stretch });
    }
    if (shares.length > 0) await this.takeTogether(shares);
    await this.surroundings.failpoint('effect-committed');
  }

  /** Handles events first and queries the inbox only after a failure: nearly all events are new and succeed. */
  private async takeTogether(shares: readonly Share[], isFirst = true): Promise<void> {
    const failure = await this.tryTogether(shares, isFirst);
    if (!failure) return;
    const left = await withoutHandled(shares);
    const [share] = left;
    if (!share) return;
    const isKnown = countOf(left) < countOf(shares) || (isFirst && isDuplicateKey(failure.error));
    if (isKnown) return this.takeTogether(left, false);
    if (left.length > 1) return this.takeEach(left);
    const { consumer, stretch } = share;
    const [event, ...others] = stretch.events;
    if (others.length === 0) return consumer.giveUpOn(stretch, event!, failure.error);
    for (const one of stretch.events)
      await this.takeTogether([{ consumer, stretch: { ...stretch, events: [one] } }], false);
  }

  /** Returns the failure; null if all are handled. Rejects if the store failed or a parked key was freed meanwhile. */
  private async tryTogether(shares: readonly Share[], isFirst: boolean): Promise<Thrown | null> {
    const { commit, health, inbox } = this.surroundings;
    const isOutage = health.attempt();
    try {
      await commit(async (tx) => {
        const handled: { consumer: Consumer; event: EventEnvelope }[] = [];
        for (const { consumer, stretch } of shares)
          for (const event of await consumer.handle(stretch, tx)) handled.push({ consumer, event });
        await inbox.add(byEvent(handled), isFirst, tx);
      });
      return null;
    } catch (error) {
      if (error instanceof KeyFreed || isOutage(error)) throw error;
      return { error };
    }
  }

  /** Lets each consumer take its events alone, then throws the first failure, so that the batch comes again. */
  private async takeEach(shares: readonly Share[]): Promise<void> {
    const failures: Thrown[] = [];
    for (const share of shares) await this.takeTogether([share], false).catch((error) => failures.push({ error }));
    if (failures[0]) throw failures[0].error;
  }
}

/** Splits the events that consumers take of batches into transactions, in the order of each log. */
async function chunksOf(batches: readonly EventBatch[], consumers: readonly Consumer[]): Promise<readonly Chunk[]> {
  const chunks: Chunk[] = [];
  let chunk: Chunk = new Map();
  let count = 0;
  for (const read of batches.flatMap(eventsOf)) {
    const taken = await takenOf(read, consumers);
    if (taken.size === 0) continue;
    count += 1;
    if (chunks.length === 0 || count > mostOf(new Set([...chunk.keys(), ...taken.keys()]))) {
      chunk = new Map();
      chunks.push(chunk);
      count = 1;
    }
    for (const [consumer, consumed] of taken) chunk.set(consumer, [...(chunk.get(consumer) ?? []), consumed]);
  }
  const ordered = (all: Chunk) => new Map(consumers.flatMap((each) => (all.has(each) ? [[each, all.get(each)!]] : [])));
  return chunks.map(ordered);
}

/** Splits a consumer's events by log (topic and partition); all parts share the set of parked keys. */
function stretchesOf(events: readonly ConsumedEvent[], parked: Set<string>): readonly Stretch[] {
  const logs = Map.groupBy(events, ({ logged }) => `${logged.topic}|${logged.partition}`);
  return [...logs.values()].map((own) => {
    const { topic, partition } = own[0]!.logged;
    return { topic, partition, events: own, parked };
  });
}

/** Returns the event as each consumer takes it. An event that doesn't match its schema becomes a dead letter. */
async function takenOf(read: ReadEvent, consumers: readonly Consumer[]): Promise<Map<Consumer, ConsumedEvent>> {
  const taken = new Map<Consumer, ConsumedEvent>();
  for (const consumer of consumers) {
    const definition = consumer.definitionOf(read.type);
    if (!definition) continue;
    try {
      taken.set(consumer, read.as(definition));
    } catch (error) {
      await consumer.reject({ logged: read.logged, error });
    }
  }
  return taken;
}

const mostOf = (consumers: ReadonlySet<Consumer>): number =>
  Math.min(
    consumers.size > 1 ? mostJointly : mostAlone,
    ...[...consumers].map(({ mostTogether = mostAlone }) => mostTogether),
  );

async function withoutHandled(shares: readonly Share[]): Promise<Share[]> {
  const left: Share[] = [];
  for (const { consumer, stretch } of shares) {
    const events = await consumer.withoutHandled(stretch.events);
    if (events.length > 0) left.push({ consumer, stretch: { ...stretch, events } });
  }
  return left;
}

const countOf = (shares: readonly Share[]): number =>
  shares.reduce((sum, { stretch }) => sum + stretch.events.length, 0);

function byEvent(handled: readonly { consumer: Consumer; event: EventEnvelope }[]): HandledEvent[] {
  return [...Map.groupBy(handled, ({ event }) => event.id)].map(([eventId, own]) => ({
    eventId,
    consumers: own.map(({ consumer }) => consumer.handler.consumer),
    mayComeAgain: own.some(({ consumer, event }) => consumer.mayComeAgain(event)),
  }));
}

/** Runs functions one after the other, also after a failure. */
function oneByOne(): (take: () => Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (take) => {
    const mine = last.then(take);
    last = mine.catch(() => undefined);
    return mine;
  };
}
