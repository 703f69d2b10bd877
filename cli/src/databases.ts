import { readConfig } from '@parley/platform/config';
import { databaseUrl, processConfig } from '@parley/platform/process-config';
import { resolve } from 'node:path';
import type { Owner } from './migrate-schema.ts';

/** The databases of an installation, in either edition. */
export type Databases = { uriOf(owner: Owner): string; close(): Promise<void> };

/** Those of the data folder, whose Parley must be stopped; without a folder those that `PARLEY_MONGO_URL` names. */
export async function openDatabases(folder: string | undefined): Promise<Databases> {
  if (folder === undefined) {
    const { PARLEY_MONGO_URL: url } = readConfig(processConfig.pick({ PARLEY_MONGO_URL: true }));
    return { uriOf: (owner) => databaseUrl(url, owner), close: async () => {} };
  }
  const { openStoppedStore } = await import('@parley/embedded');
  const store = await openStoppedStore(resolve(folder));
  return { uriOf: (owner) => store.uri(`parley_${owner}`), close: () => store.close() };
}
