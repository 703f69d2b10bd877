import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { assertBlobKey, Blobs } from '../blobs.ts';
import { SizeMeter } from '../size-meter.ts';

const incoming = '.incoming';
/** What is left for the store, which may be on the same disk. */
const leftBytes = 32 * 1024 * 1024;

/** Blobs as files of one folder. A file appears under its key only when its bytes are on disk. */
export class FolderBlobs extends Blobs {
  private constructor(private readonly root: string) {
    super();
  }

  /** Makes the folder, removes what a crash left half-written. */
  static async open(root: string): Promise<FolderBlobs> {
    const folder = resolve(root);
    await mkdir(join(folder, incoming), { recursive: true, mode: 0o700 });
    for (const name of await readdir(join(folder, incoming))) await rm(join(folder, incoming, name), { force: true });
    return new FolderBlobs(folder);
  }

  async put(key: string, content: Readable, { maxBytes }: { maxBytes: number }): Promise<number> {
    const target = this.pathOf(key);
    const temporary = join(this.root, incoming, randomUUID());
    const meter = new SizeMeter(maxBytes);
    await this.checkRoom();
    try {
      const file = await open(temporary, 'wx', 0o600);
      // `flush` calls fsync before the file is closed.
      await pipeline(content, meter, file.createWriteStream({ flush: true }));
      const firstMade = await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await rename(temporary, target);
      await this.syncFolders(dirname(target), firstMade ? dirname(firstMade) : dirname(target));
      return meter.bytes;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
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

  async delete(key: string): Promise<void> {
    const path = this.pathOf(key);
    try {
      await rm(path);
      await this.syncFolders(dirname(path), dirname(path));
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  async close(): Promise<void> {}

  private async checkRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.root);
    if (bavail * bsize < leftBytes) throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' });
  }

  private pathOf(key: string): string {
    assertBlobKey(key);
    return join(this.root, ...key.split('/'));
  }

  /** From the file's folder up to the one that already existed: each new name is an entry in its parent. */
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
