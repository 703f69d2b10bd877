import { blobsConfig, openBlobs, withOnePlaceOfBlobs } from '@parley/chat/process-config';
import { endMove, moveFolder, openDataFolder, type MoveDestination } from '@parley/embedded';
import { readConfig } from '@parley/platform/config';
import { databaseUrl, processConfig } from '@parley/platform/process-config';
import type { ReportProgress } from '@parley/platform/schema';
import type { Deployable } from '@parley/contracts';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { refuseOtherKeys, writeKeys } from './keys.ts';
import { migrateSchema } from './migrate-schema.ts';

/** Where the data goes: MongoDB, and the storage of uploads as chat has it. Nothing else is read. */
const migrateConfig = withOnePlaceOfBlobs(
  z.object({ PARLEY_MONGO_URL: processConfig.shape.PARLEY_MONGO_URL, ...blobsConfig.shape }),
);

/**
 * Moves an embedded data folder to the distributed edition; the keys go along, for stored provider keys open with no
 * others. Says what arrived. After a failure it can be run again as it was.
 */
export async function migrate(
  { data, keysOut }: { data: string; keysOut: string },
  report: ReportProgress,
): Promise<string[]> {
  if (!existsSync(data)) throw new Error(`${data} does not exist: name the data folder with --data.`);
  const config = readConfig(migrateConfig);
  const folder = await openDataFolder(data);
  refuseOtherKeys(keysOut, folder.keys);
  const blobs = await openBlobs(config);
  const destination: MoveDestination = {
    blobs,
    mongoUri: (database) => databaseUrl(config.PARLEY_MONGO_URL, database.replace(/^parley_/, '') as Deployable),
  };
  try {
    const moved = await moveFolder(folder, destination);
    await migrateSchema(config.PARLEY_MONGO_URL, report);
    const files = await writeKeys(keysOut, folder.keys);
    await endMove(folder, destination);
    return [
      ...moved.map(({ name, count, checksum }) => `${name}: ${count}, sha256 ${checksum.slice(0, 16)}… on both sides`),
      `Wrote ${files.join(', ')} into ${keysOut}.`,
    ];
  } finally {
    await blobs.close();
  }
}
