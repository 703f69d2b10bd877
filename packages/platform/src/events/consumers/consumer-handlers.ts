import type { DataOf, EventDefinition, EventEnvelope } from '@parley/protocol';
import type { Transaction } from '../../rows/mongo/index.ts';

/**
 * Runs once per event, as far as its writes with `tx` go: an inbox row commits with them. Up to 64 events share a
 * transaction, or 32 with other consumers of the service. It may run again from the start, so it has no effect outside
 * `tx` that must not be repeated. It writes nothing outside `tx` that another consumer of the service writes within.
 */
export type EffectHandler = {
  readonly kind: 'effect';
  /** Unique within the service; the inbox id, so renaming it handles old events again. */
  readonly consumer: string;
  readonly events: readonly EventDefinition[];
  /**
   * Given where all of its transactions change the same rows: so many events share one, fewer than 64, since whoever else
   * changes these rows waits for its end. In a process, the transactions that a handler with it takes part in run one
   * after the other instead of failing each other.
   */
  readonly mostTogether?: number;
  handle(event: EventEnvelope, tx: Transaction): Promise<void>;
};

/** Gets whole batches in order; its writes commit together with the partition's offset, without an inbox. */
export type ProjectionHandler = {
  readonly kind: 'projection';
  readonly consumer: string;
  readonly events: readonly EventDefinition[];
  fold(events: readonly EventEnvelope[], tx: Transaction): Promise<void>;
};

/**
 * An effect behind the same inbox that gets the events of a transaction together, up to 64, so that it adds them up before
 * it writes. It records nothing: what it would record had many causes.
 */
export type BatchHandler = {
  readonly kind: 'batch';
  readonly consumer: string;
  readonly events: readonly EventDefinition[];
  handleAll(events: readonly EventEnvelope[], tx: Transaction): Promise<void>;
};
export type EventHandler = EffectHandler | BatchHandler | ProjectionHandler;

/** An effect handler of one event type, with its data typed. */
export function effectOf<Definition extends EventDefinition>(
  consumer: string,
  definition: Definition,
  handle: (event: EventEnvelope<DataOf<Definition>>, tx: Transaction) => Promise<void>,
): EffectHandler {
  return {
    kind: 'effect',
    consumer,
    events: [definition],
    handle: (event, tx) => handle(event as EventEnvelope<DataOf<Definition>>, tx),
  };
}

/** A projection of one event type, with its data typed. */
export function projectionOf<Definition extends EventDefinition>(
  consumer: string,
  definition: Definition,
  fold: (events: readonly EventEnvelope<DataOf<Definition>>[], tx: Transaction) => Promise<void>,
): ProjectionHandler {
  return {
    kind: 'projection',
    consumer,
    events: [definition],
    fold: (events, tx) => fold(events as readonly EventEnvelope<DataOf<Definition>>[], tx),
  };
}

/**
 * Thrown by a handler that will never take this event: it goes to the dead letters at once, without retries, and the
 * events after it go on. Any other error is retried, then parks the key.
 */
export class EventRejected extends Error {
  override readonly name = 'EventRejected';
}

/** Throws when a consumer has no name or shares it. */
export function assertDistinctConsumers(handlers: readonly EventHandler[]): void {
  const seen = new Set<string>();
  for (const { consumer } of handlers) {
    if (!consumer || consumer.includes('|'))
      throw new Error(`An event handler needs a consumer name without "|", not ${JSON.stringify(consumer)}.`);
    if (seen.has(consumer))
      throw new Error(
        `Two event handlers call themselves ${consumer}; a consumer name is an inbox id and must be unique.`,
      );
    seen.add(consumer);
  }
}
