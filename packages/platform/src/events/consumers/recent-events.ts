import type { EventEnvelope } from '@parley/protocol';
import type { Mongo } from '../../rows/mongo/index.ts';
import { outboxRow, type OutboxRow } from '../outbox/outbox.collection.ts';
import type { LogRow } from '../event-bus/embedded/log.collection.ts';
import { consumerStoreOf } from './consumer-store.ts';

const dayMs = 24 * 3_600_000;

/**
 * Prepares a service's database that comes from a backup or another installation, before its processes and expiring
 * indexes run. Events in its outbox are published again, because a consumer may not have seen them. The age of its
 * inbox rows starts from now, so that no event is handled twice because of the copy's age. Returns the number of
 * events.
 */
export async function repeatRecentEvents(mongo: Mongo): Promise<number> {
  // Changes only rows with a time: rows without one are kept for ever.
  await consumerStoreOf(mongo)
    .inbox()
    .updateMany({ at: { $gte: new Date(0) } }, { $set: { at: new Date() } });
  const { matchedCount } = await mongo.connection
    .collection('outbox')
    .updateMany({}, { $set: { published: false }, $unset: { publishedAt: 1 } });
  return matchedCount;
}

/**
 * Does the same as `repeatRecentEvents` for data of a one-process edition, which keeps published events in its log
 * only: takes events of this service from the log's last day, without those that the outbox has already.
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
