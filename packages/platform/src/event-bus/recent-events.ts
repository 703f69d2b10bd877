import type { Mongo } from '../mongo/index.ts';

/**
 * For a service's database that comes from a backup or from another installation, before its processes and its indexes
 * that expire: what its outbox still holds goes out again, for a consumer may not have seen it, and what its inbox
 * knows counts from now, so that no age of the copy lets an event be handled twice. Gives the number of events.
 */
export async function repeatRecentEvents({ connection }: Mongo): Promise<number> {
  await connection.collection('event_inbox').updateMany({ at: { $exists: true } }, { $set: { at: new Date() } });
  const { matchedCount } = await connection
    .collection('outbox')
    .updateMany({}, { $set: { published: false }, $unset: { publishedAt: 1 } });
  return matchedCount;
}
