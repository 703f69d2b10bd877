import { chatProcessConfig, openBlobs } from '@parley/chat/process-config';
import { moveFolder, openDataFolder } from '@parley/embedded';
import { readConfig } from '@parley/platform/config';
import { databaseUrl, processConfig } from '@parley/platform/process-config';
import type { Deployable } from '@parley/contracts';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { writeKeys } from './keys.ts';
import { migrateSchema } from './migrate-schema.ts';

/** Where the data goes: MongoDB, and the storage of uploads as chat has it. */
const migrateConfig = z.object({
  PARLEY_MONGO_URL: processConfig.shape.PARLEY_MONGO_URL,
  ...z
    .object(chatProcessConfig.shape)
    .pick({
      PARLEY_BLOBS_FOLDER: true,
      PARLEY_S3_ENDPOINT: true,
      PARLEY_S3_REGION: true,
      PARLEY_S3_BUCKET: true,
      PARLEY_S3_ACCESS_KEY_ID: true,
      PARLEY_S3_SECRET_ACCESS_KEY: true,
    }).shape,
});

/**
 * Moves an embedded data folder to the distributed edition; the keys go along, for stored provider keys open with no
 * others. Says what arrived.
 */
export async function migrate({ data, keysOut }: { data: string; keysOut: string }): Promise<string[]> {
  if (!existsSync(data)) throw new Error(`${data} does not exist: name the data folder with --data.`);
  const config = readConfig(migrateConfig);
  const folder = await openDataFolder(data);
  const blobs = await openBlobs(config);
  try {
    const moved = await moveFolder(folder, {
      blobs,
      mongoUri: (database) => databaseUrl(config.PARLEY_MONGO_URL, database.replace(/^parley_/, '') as Deployable),
    });
    await migrateSchema(config.PARLEY_MONGO_URL);
    const files = await writeKeys(keysOut, folder.keys);
    return [
      ...moved.map(({ name, count, checksum }) => `${name}: ${count}, sha256 ${checksum.slice(0, 16)}… on both sides`),
      `Wrote ${files.join(', ')} into ${keysOut}.`,
    ];
  } finally {
    await blobs.close();
  }
}
