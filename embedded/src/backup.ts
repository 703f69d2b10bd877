import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join, normalize, relative, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { extract, pack, type Pack } from 'tar-stream';
import { StartRefused } from './data-folder.ts';

const storeName = 'store.sqlite';
const folders = ['blobs', 'mail'] as const;

/**
 * Writes everything of a data folder into one tar, while Parley runs or not: a consistent snapshot of the store first,
 * then the blobs, which never change once their row exists. The tar contains the keys. An existing file is refused.
 */
export async function backupFolder(folder: string, file: string): Promise<void> {
  if (existsSync(file)) throw new StartRefused(`${file} exists: name a new file.`);
  if (!existsSync(join(folder, storeName)))
    throw new StartRefused(`${folder} holds no Parley data: name its folder with --data.`);
  const partial = `${resolve(file)}.partial`;
  const snapshot = `${partial}.store`;
  mkdirSync(dirname(partial), { recursive: true });
  rmSync(snapshot, { force: true });
  try {
    copyStore(join(folder, storeName), snapshot);
    const tar = pack();
    const writing = pipeline(tar, createWriteStream(partial, { mode: 0o600 }));
    for (const name of ['format.json', 'keys.json']) await addFile(tar, name, join(folder, name));
    await addFile(tar, storeName, snapshot);
    for (const name of folders) await addFolder(tar, folder, name);
    tar.finalize();
    await writing;
    await syncFile(partial);
    await rename(partial, file);
    await syncFile(dirname(partial));
  } finally {
    rmSync(snapshot, { force: true });
    rmSync(partial, { force: true });
  }
}

/**
 * Unpacks a backup into a new folder. A folder with anything in it, and a tar that is none of ours, is refused and
 * nothing stays.
 */
export async function restoreFolder(file: string, folder: string): Promise<void> {
  if (!existsSync(file)) throw new StartRefused(`${file} does not exist.`);
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new StartRefused(`${folder} is not empty: restore into a new folder.`);
  const target = resolve(folder);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const names: string[] = [];
  const unpack = extract();
  unpack.on('entry', (header, content, next) => {
    const path = normalize(join(target, header.name));
    if (header.type !== 'file' || !path.startsWith(target + sep)) return unpack.destroy(new Error('unexpected entry'));
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    names.push(header.name);
    pipeline(content, createWriteStream(path, { mode: 0o600 }))
      .then(() => syncFile(path))
      .then(() => next(), next);
  });
  try {
    await pipeline(createReadStream(file), unpack);
    if (!['format.json', 'keys.json', storeName].every((name) => names.includes(name)))
      throw new Error('entries are missing');
  } catch (cause) {
    rmSync(target, { recursive: true, force: true });
    throw new StartRefused(`${file} is not a complete Parley backup.`, { cause });
  }
}

/** `VACUUM INTO` reads one snapshot, whatever another process writes meanwhile. */
function copyStore(from: string, to: string): void {
  const database = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    database.prepare('VACUUM INTO ?').run(to);
  } finally {
    database.close();
  }
}

async function addFolder(tar: Pack, root: string, name: string): Promise<void> {
  const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const isLeftOver = relative(join(root, name), path).startsWith('.');
    if (!isLeftOver && existsSync(path)) await addFile(tar, relative(root, path), path);
  }
}

async function addFile(tar: Pack, name: string, path: string): Promise<void> {
  const { size } = statSync(path);
  const entry = tar.entry({ name: name.split(sep).join('/'), size, mode: 0o600 });
  await pipeline(createReadStream(path, { end: Math.max(size - 1, 0) }), entry);
}

/** Makes a file durable, or the names in a folder. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}
