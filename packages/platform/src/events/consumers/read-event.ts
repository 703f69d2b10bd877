import type { EventDefinition, EventEnvelope } from '@parley/protocol';
import type { EventBatch, RecordedEvent } from '../event-bus/event-bus.ts';
import type { LoggedEvent } from './consumer.collection.ts';

/** An event with parsed data and its position. */
export type ConsumedEvent = { readonly event: EventEnvelope; readonly logged: LoggedEvent };

/** Parses an event of a batch once, however many consumers of the service take it. */
export class ReadEvent {
  private readonly checked = new Map<EventDefinition, ConsumedEvent>();
  private kept: LoggedEvent | null = null;

  constructor(
    private readonly batch: EventBatch,
    private readonly record: RecordedEvent,
  ) {}

  get type(): string {
    return this.record.event.type;
  }

  get logged(): LoggedEvent {
    const { batch, record } = this;
    const { event, offset } = record;
    this.kept ??= {
      eventId: event.id,
      tenant: event.tenantid,
      type: event.type,
      subject: event.subject,
      topic: batch.topic,
      partition: batch.partition,
      offset,
      envelope: JSON.stringify(event),
    };
    return this.kept;
  }

  /** Returns the same object to each consumer, so consumers must not change it. Throws if the data doesn't match. */
  as(definition: EventDefinition): ConsumedEvent {
    const known = this.checked.get(definition);
    if (known) return known;
    const consumed = { event: definition.parse(this.record.event), logged: this.logged };
    this.checked.set(definition, consumed);
    return consumed;
  }
}

/** Returns the events of a batch, each once. */
export function eventsOf(batch: EventBatch): readonly ReadEvent[] {
  const seen = new Set<string>();
  const fresh = batch.events.filter(({ event: { id } }) => !seen.has(id) && seen.add(id));
  return fresh.map((record) => new ReadEvent(batch, record));
}
