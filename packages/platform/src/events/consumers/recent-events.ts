import type { EventEnvelope } from '@parley/protocol';
import type { Mongo } from '../../rows/mongo/index.ts';
import { outboxRow, type OutboxRow } from '../outbox/outbox.collection.ts';
import type { LogRow } from '../event-bus/embedded/log.collection.ts';
import { consumerStoreOf } from './consumer-store.ts';

const dayMs = 24 * 3_600_000;

/**
 * For a service's database that comes from a backup or from another installation, before its processes and its indexes
 * that expire: what its outbox still holds goes out again, for a consumer may not have seen it, and what its inbox
 * knows counts from now, so that no age of the copy lets an event be handled twice. Gives the number of events.
 */
export async function repeatRecentEvents(mongo: Mongo): Promise<number> {
  // Rows without a time are kept for ever.
  await consumerStoreOf(mongo)
    .inbox()
    .updateMany({ at: { $gte: new Date(0) } }, { $set: { at: new Date() } });
  const { matchedCount } = await mongo.connection
    .collection('outbox')
    .updateMany({}, { $set: { published: false }, $unset: { publishedAt: 1 } });
  return matchedCount;
}

/**
 * The same for what comes from a one-process edition, which keeps published events in its log only: those of the log's
 * last day that this service has told. Events that its outbox holds already are left to themselves.
 */
export async function repeatLoggedEvents(log: Mongo, { connection }: Mongo): Promise<void> {
  const records = log.connection.collection<LogRow>('records');
  const outbox = connection.collection<OutboxRow>('outbox');
  const newest = await records.findOne({}, { sort: { at: -1 } });
  const since = new Date((newest?.at.getTime() ?? 0) - dayMs);
  for await (const { topic, envelope } of records.find({ at: { $gte: since } })) {
    const event = JSON.parse(envelope) as EventEnvelope;
    if (connection.name !== `parley_${event.source}`) continue;
    const { _id, ...row } = outboxRow(topic, event);
    await outbox.updateOne({ _id }, { $setOnInsert: row }, { upsert: true });
  }
}
