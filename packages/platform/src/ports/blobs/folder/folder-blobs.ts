import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertBlobKey, assertPart, Blobs, noSuchPart, type BlobPart } from '../blobs.ts';
import { SizeMeter } from '../size-meter.ts';

const incoming = '.incoming';
/** Names the folder for open uploads: one folder for each upload, with one file for each part. */
const partial = '.parts';
/** Keeps this much of the disk free for the database, which can be on the same disk: refuses writes below it. */
const leftBytes = 32 * 1024 * 1024;

/** Stores blobs as files in one folder. A file appears under its key only when its bytes are on disk. */
export class FolderBlobs extends Blobs {
  private constructor(private readonly root: string) {
    super();
  }

  /** Creates the folder, and removes files that a crash left half-written. */
  static async open(root: string): Promise<FolderBlobs> {
    const folder = resolve(root);
    for (const name of [incoming, partial]) await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
    for (const name of await readdir(join(folder, incoming)))
      await rm(join(folder, incoming, name), { force: true, recursive: true });
    return new FolderBlobs(folder);
  }

  async put(key: string, content: Readable, { maxBytes }: { maxBytes: number }): Promise<number> {
    const target = this.pathOf(key);
    const meter = new SizeMeter(maxBytes);
    await this.write([content, meter], async (temporary) => {
      const firstMade = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(temporary, target);
      await this.syncFolders(dirname(target), firstMade ? dirname(firstMade) : dirname(target));
    });
    return meter.bytes;
  }

  async get(key: string): Promise<Readable | null> {
    try {
      const file = await open(this.pathOf(key), 'r');
      return file.createReadStream();
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async getRange(key: string, start: number, end: number): Promise<Readable | null> {
    try {
      const file = await open(this.pathOf(key), 'r');
      if (start < end) return file.createReadStream({ start, end: end - 1 });
      await file.close();
      return Readable.from([]);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    try {
      await rm(path);
      await this.syncFolders(dirname(path), dirname(path));
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  async beginParts(key: string): Promise<string> {
    const uploadId = randomUUID();
    await mkdir(this.partsOf(key, uploadId), { mode: 0o700 });
    await this.syncFolders(join(this.root, partial), join(this.root, partial));
    return uploadId;
  }

  async putPart(key: string, { uploadId, number, maxBytes }: BlobPart, content: Readable): Promise<number> {
    assertPart({ number, maxBytes });
    const folder = this.partsOf(key, uploadId);
    if (!(await isThere(folder))) throw noSuchPart('There is no such upload.');
    const meter = new SizeMeter(maxBytes);
    await this.write([content, meter], async (temporary) => {
      await rename(temporary, join(folder, String(number))).catch((error: unknown) => {
        throw isAbsent(error) ? noSuchPart('There is no such upload.') : error;
      });
      await this.syncFolders(folder, folder);
    });
    return meter.bytes;
  }

  async completeParts(key: string, uploadId: string, parts: readonly number[]): Promise<number> {
    const target = this.pathOf(key);
    const folder = this.partsOf(key, uploadId);
    if (!(await isThere(folder))) {
      // The blob exists if an earlier call completed it and the caller didn't get the response.
      const whole = await stat(target).catch(() => null);
      if (whole) return whole.size;
      throw noSuchPart('There is no such upload.');
    }
    const files = parts.toSorted((one, other) => one - other).map((number) => join(folder, String(number)));
    for (const file of files) if (!(await isThere(file))) throw noSuchPart('A part is missing.');
    const meter = new SizeMeter(Number.MAX_SAFE_INTEGER);
    await this.write([Readable.from(contentsOf(files), { objectMode: false }), meter], async (temporary) => {
      const firstMade = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(temporary, target);
      await this.syncFolders(dirname(target), firstMade ? dirname(firstMade) : dirname(target));
    });
    await this.abortParts(key, uploadId);
    return meter.bytes;
  }

  async abortParts(key: string, uploadId: string): Promise<void> {
    // Moves the folder away first, so that no restart finds half of the parts.
    const going = join(this.root, incoming, randomUUID());
    try {
      await rename(this.partsOf(key, uploadId), going);
    } catch (error) {
      if (isAbsent(error)) return;
      throw error;
    }
    await this.syncFolders(join(this.root, partial), join(this.root, partial));
    await rm(going, { recursive: true, force: true });
  }

  async close(): Promise<void> {}

  /** Writes to a temporary file, which is on disk when `keep` moves it to its key. Removes it after an error. */
  private async write([content, meter]: [Readable, SizeMeter], keep: (path: string) => Promise<void>): Promise<void> {
    const temporary = join(this.root, incoming, randomUUID());
    await this.checkRoom();
    try {
      const file = await open(temporary, 'wx', 0o600);
      // `flush` calls fsync before the file is closed.
      await pipeline(content, meter, file.createWriteStream({ flush: true }));
      await keep(temporary);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  /** Returns the folder of an upload's parts. The id of an upload is valid for its key only. */
  private partsOf(key: string, uploadId: string): string {
    assertBlobKey(key);
    assertBlobKey(uploadId);
    const ofKey = createHash('sha256').update(key).digest('hex').slice(0, 16);
    return join(this.root, partial, `${uploadId}-${ofKey}`);
  }

  private async checkRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.root);
    if (bavail * bsize < leftBytes) throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' });
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.root, ...key.split('/'));
  }

  /**
   * Syncs the folders from the file's up to the one that existed before, because each new name is an entry in its
   * parent.
   */
  private async syncFolders(from: string, to: string): Promise<void> {
    for (let folder = from; folder.length >= to.length; folder = dirname(folder)) {
      const handle = await open(folder, 'r');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      if (folder === dirname(folder)) return;
    }
  }
}

function isAbsent(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function* contentsOf(files: readonly string[]): AsyncGenerator<Buffer> {
  for (const file of files) yield* createReadStream(file) as AsyncIterable<Buffer>;
}
