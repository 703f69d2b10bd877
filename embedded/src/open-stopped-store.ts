import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFormat, StartRefused } from './data-folder.ts';

/**
 * The databases of a data folder whose Parley is stopped, for an operator's command. Throws `StartRefused` where there
 * is no data or a newer version has changed it, and `data-folder-locked` while Parley runs.
 */
export async function openStoppedStore(folder: string): Promise<EmbeddedMongo> {
  const file = join(folder, 'store.sqlite');
  if (!existsSync(file)) throw new StartRefused(`${folder} holds no Parley data: name its folder with --data.`);
  readFormat(folder);
  return startEmbeddedMongo({ file, keepsExpiredMs: Number.POSITIVE_INFINITY });
}
