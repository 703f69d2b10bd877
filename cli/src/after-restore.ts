import { repeatRecentEvents } from '@parley/platform/event-bus';
import { Mongo } from '@parley/platform/mongo';
import { databaseUrl } from '@parley/platform/process-config';
import type { ReportProgress } from '@parley/platform/schema';
import { migrateSchema, ownerNames, type Owner } from './migrate-schema.ts';

/**
 * Makes databases that were restored without their indexes ready for the processes: events that a consumer may not have
 * seen go out again, and the indexes are made. Doing it twice does no harm. Says what it did.
 */
export async function afterRestore(mongoUrl: string, report: ReportProgress): Promise<string[]> {
  const events: string[] = [];
  for (const owner of ownerNames) events.push(`${owner}: ${await prepare(mongoUrl, owner)} recent events go out again`);
  return [...events, ...(await migrateSchema(mongoUrl, report))];
}

/** Forgets which schema the backup had: its indexes did not come along. */
async function prepare(mongoUrl: string, owner: Owner): Promise<number> {
  const mongo = await Mongo.connect(databaseUrl(mongoUrl, owner));
  try {
    const events = await repeatRecentEvents(mongo);
    await mongo.connection.collection('schema_state').updateMany({}, { $set: { versions: [] } });
    return events;
  } finally {
    await mongo.close();
  }
}
