import type { EventEnvelope } from '@parley/protocol';
import type { Mongo } from '@parley/platform/mongo';

/** The events in a service's outbox, oldest first; what was recorded in the same moment by their sequence. */
export async function recordedEvents({ connection }: Mongo): Promise<EventEnvelope[]> {
  const rows = await connection.collection('outbox').find().toArray();
  const recorded = rows.map((row) => ({
    at: (row['recordedAt'] as Date).getTime(),
    event: JSON.parse(row['envelope'] as string) as EventEnvelope,
  }));
  return recorded
    .toSorted((one, other) => one.at - other.at || one.event.sequence - other.event.sequence)
    .map(({ event }) => event);
}
