import type { DataOf, EventDefinition, EventEnvelope } from '@parley/protocol';
import type { Transaction } from '../../rows/mongo/index.ts';

/**
 * Runs once per event, as far as its writes with `tx` are concerned: an inbox row commits with them. Up to 64 events
 * share a transaction, or 32 with other consumers of the service. The handler can run again from the start, so it must
 * have no other effect that can't be repeated. It must not write outside `tx` to rows that another consumer of the
 * service writes within its transaction.
 */
export type EffectHandler = {
  readonly kind: 'effect';
  /** The consumer's name, unique within the service. Used as the inbox id, so renaming it handles old events again. */
  readonly consumer: string;
  readonly events: readonly EventDefinition[];
  /**
   * Limits the events of one transaction to fewer than 64. Set it if all transactions of the handler change the same
   * rows, because other transactions that change these rows wait. In a process, such transactions run one after the
   * other, so they don't fail each other.
   */
  readonly mostTogether?: number;
  handle(event: EventEnvelope, tx: Transaction): Promise<void>;
};

/**
 * Handles up to 64 events of a transaction in one call, and can add them up before it writes. Like an effect, it is
 * behind the inbox and handles each event once. It records no events, because each would have many causes.
 */
export type BatchHandler = {
  readonly kind: 'batch';
  readonly consumer: string;
  readonly events: readonly EventDefinition[];
  handleAll(events: readonly EventEnvelope[], tx: Transaction): Promise<void>;
};
export type EventHandler = EffectHandler | BatchHandler;

/** Declares an effect handler of one event type, with typed data. */
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

/**
 * Thrown by a handler that can never handle this event. The event becomes a dead letter immediately, without retries,
 * and later events continue. After any other error the event's key is parked: later events of the key wait while this
 * one is retried.
 */
export class EventRejected extends Error {
  override readonly name = 'EventRejected';
}

/** Throws if a consumer has no name, or the name of another. */
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
