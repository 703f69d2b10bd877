import { createKeyRing, keyRing, type KeyRing } from '@parley/platform/crypto';
import { storageGeneration } from '@parley/platform/schema';
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** The format that a start gives a folder. A folder with a higher number was changed by a newer Parley. */
export const formatVersion = storageGeneration;
const formatFile = z.object({ version: z.number().int().positive() });

/** Where everything of an embedded installation lives. */
export type DataFolder = {
  readonly path: string;
  readonly store: string;
  readonly blobs: string;
  readonly logs: string;
  readonly mail: string;
  readonly keys: KeyRing;
};

/** A reason not to start, in one sentence that says what to do. */
export class StartRefused extends Error {}

/**
 * Opens or makes the folder: `store.sqlite`, `blobs/`, `logs/`, `keys.json` (0600), `format.json`. The format of an older
 * folder stays as it is: `raiseFormat` comes before its first change. Throws `StartRefused`.
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  prepareFolder(path);
  if (readFormat(path) === null) writeFormat(path);
  const keys = await openKeys(join(path, 'keys.json'), existsSync(join(path, 'store.sqlite')));
  const parts = {
    store: join(path, 'store.sqlite'),
    blobs: join(path, 'blobs'),
    logs: join(path, 'logs'),
    mail: join(path, 'mail'),
  };
  return { path, ...parts, keys };
}

/** From now on older versions refuse the folder. Durable when it returns. */
export function raiseFormat({ path }: DataFolder): void {
  if (readFormat(path) !== formatVersion) writeFormat(path);
}

const writeFormat = (path: string): void =>
  writeDurably(join(path, 'format.json'), `${JSON.stringify({ version: formatVersion })}\n`);

function prepareFolder(path: string): void {
  const probe = join(path, `.write-test-${process.pid}`);
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    closeToOthers(path);
    for (const part of ['blobs', 'logs', 'mail']) mkdirSync(join(path, part), { recursive: true, mode: 0o700 });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (cause) {
    throw new StartRefused(
      `The data folder ${path} cannot be written to: choose another one with --data or change its permissions.`,
      { cause },
    );
  }
}

/** A folder that was made beforehand may be open to others on the machine; where it is not ours, its owner decides. */
function closeToOthers(path: string): void {
  const { mode, uid } = statSync(path);
  if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(path, 0o700);
}

/** Null where there is none yet. Throws `StartRefused` where the folder was changed by a newer version. */
export function readFormat(path: string): number | null {
  const file = join(path, 'format.json');
  if (!existsSync(file)) return null;
  const parsed = formatFile.safeParse(safeJson(readFileSync(file, 'utf8')));
  if (!parsed.success)
    throw new StartRefused(`${file} is damaged: restore a backup into a new folder with \`parley restore\`.`);
  if (parsed.data.version > formatVersion) {
    throw new StartRefused(
      `The data folder ${path} was written by a newer Parley (format ${parsed.data.version}, this one knows ${formatVersion}): update Parley, or restore the backup.`,
    );
  }
  return parsed.data.version;
}

/**
 * Keys are made once; without them sealed provider keys cannot be opened, so a folder with data and without keys is
 * refused.
 */
async function openKeys(file: string, hasData: boolean): Promise<KeyRing> {
  if (existsSync(file)) {
    const parsed = keyRing.safeParse(safeJson(readFileSync(file, 'utf8')));
    if (!parsed.success)
      throw new StartRefused(`${file} is damaged: restore a backup into a new folder with \`parley restore\`.`);
    return parsed.data;
  }
  if (hasData)
    throw new StartRefused(
      `${file} is missing although there is data: put it back, or restore a backup into a new folder with \`parley restore\`.`,
    );
  const keys = await createKeyRing();
  writeDurably(file, `${JSON.stringify(keys, null, 2)}\n`);
  return keys;
}

function writeDurably(file: string, content: string): void {
  const temporary = `${file}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  sync(temporary);
  renameSync(temporary, file);
  sync(dirname(file));
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

function safeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
