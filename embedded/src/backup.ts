import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join, normalize, relative, resolve, sep } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Transform, type TransformCallback } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { extract, pack, type Pack } from 'tar-stream';
import { z } from 'zod';
import { StartRefused } from './data-folder.ts';

const storeName = 'store.sqlite';
const folders = ['blobs', 'mail'] as const;

/** The last entry of a backup: what it holds. Without it the tar is cut. */
const manifestName = 'manifest.json';
const manifest = z.strictObject({
  files: z.array(z.strictObject({ name: z.string(), size: z.number().int(), sha256: z.string() })),
});
type ListedFile = z.infer<typeof manifest>['files'][number];

/**
 * Writes everything of a data folder into one tar, while Parley runs or not: a consistent snapshot of the store first,
 * then the blobs, which never change once their row exists, and at the end a list of names, sizes and hashes. The tar
 * contains the keys. An existing file is refused.
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
    const files: ListedFile[] = [];
    for (const name of ['format.json', 'keys.json']) files.push(await addFile(tar, name, join(folder, name)));
    files.push(await addFile(tar, storeName, snapshot));
    for (const name of folders) files.push(...(await addFolder(tar, folder, name)));
    tar.entry({ name: manifestName, mode: 0o600 }, JSON.stringify({ files } satisfies z.input<typeof manifest>));
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
 * Unpacks a backup into a new folder. A folder with anything in it is refused, and a tar that is cut, changed or none of
 * ours: then nothing stays.
 */
export async function restoreFolder(file: string, folder: string): Promise<void> {
  if (!existsSync(file)) throw new StartRefused(`${file} does not exist.`);
  const target = resolve(folder);
  const isThere = existsSync(target);
  if (isThere && readdirSync(target).length > 0)
    throw new StartRefused(`${folder} is not empty: restore into a new folder.`);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  try {
    const { files, listed } = await unpack(file, target);
    for (const name of ['format.json', 'keys.json', storeName])
      if (!listed.has(name)) throw new BackupFault(`${name} is missing`);
    for (const name of listed.keys()) if (!files.has(name)) throw new BackupFault(`${name} is missing`);
    for (const [name, { size, sha256 }] of files) {
      const expected = listed.get(name);
      if (!expected) throw new BackupFault(`${name} does not belong to it`);
      if (expected.size !== size || expected.sha256 !== sha256) throw new BackupFault(`${name} was changed`);
    }
    await Promise.all([target, dirname(target)].map(syncFile));
  } catch (cause) {
    for (const name of readdirSync(target)) rmSync(join(target, name), { recursive: true, force: true });
    if (!isThere) rmSync(target, { recursive: true, force: true });
    const why = cause instanceof BackupFault ? ` (${cause.message})` : '';
    throw new StartRefused(`${file} is not a complete Parley backup${why}: nothing was restored, use another one.`, {
      cause,
    });
  }
}

/** What is wrong with a backup, as the operator reads it. */
class BackupFault extends Error {}
type Unpacked = { readonly files: Map<string, ListedFile>; readonly listed: Map<string, ListedFile> };

/** The files below the target, and what the backup says of them. */
async function unpack(file: string, target: string): Promise<Unpacked> {
  const files = new Map<string, ListedFile>();
  let listed: Unpacked['listed'] | null = null;
  const entries = extract();
  const take = async (name: string, type: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
    if (listed) throw new BackupFault(`${name} comes after its list`);
    if (name === manifestName) {
      const { success, data } = manifest.safeParse(JSON.parse(await text(content)));
      if (!success) throw new BackupFault('its list cannot be read');
      listed = new Map(data.files.map((entry) => [entry.name, entry]));
      return;
    }
    const path = normalize(join(target, name));
    if (type !== 'file' || !path.startsWith(target + sep)) throw new BackupFault(`${name} leads elsewhere`);
    if (files.has(name) || existsSync(path)) throw new BackupFault(`${name} comes twice`);
    files.set(name, { name, ...(await writeUnpacked(content, path)) });
  };
  entries.on(
    'entry',
    ({ name, type }, content, next) =>
      void take(name, type ?? '', content as AsyncIterable<Uint8Array>).then(() => next(), next),
  );
  await pipeline(createReadStream(file), entries);
  if (!listed) throw new BackupFault('its end is missing');
  return { files, listed };
}

async function writeUnpacked(
  content: AsyncIterable<Uint8Array>,
  path: string,
): Promise<{ size: number; sha256: string }> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const count = new Counted();
  await pipeline(content, count, createWriteStream(path, { mode: 0o600 }));
  await syncFile(path);
  return count.result();
}

/** Passes bytes through, counting and hashing them. */
class Counted extends Transform {
  private readonly hash = createHash('sha256');
  private size = 0;

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    this.size += chunk.length;
    this.hash.update(chunk);
    done(null, chunk);
  }

  result(): { size: number; sha256: string } {
    return { size: this.size, sha256: this.hash.digest('hex') };
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

async function addFolder(tar: Pack, root: string, name: string): Promise<ListedFile[]> {
  const files: ListedFile[] = [];
  const entries = readdirSync(join(root, name), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const isLeftOver = relative(join(root, name), path).startsWith('.');
    if (!isLeftOver && existsSync(path)) files.push(await addFile(tar, relative(root, path), path));
  }
  return files;
}

async function addFile(tar: Pack, path: string, from: string): Promise<ListedFile> {
  const { size } = statSync(from);
  const name = path.split(sep).join('/');
  const count = new Counted();
  const entry = tar.entry({ name, size, mode: 0o600 });
  await pipeline(createReadStream(from, { end: Math.max(size - 1, 0) }), count, entry);
  return { name, ...count.result() };
}

/** Makes a file durable, or the names in a folder. */
async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}
