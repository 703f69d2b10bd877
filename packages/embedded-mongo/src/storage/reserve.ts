import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** How much room is held, and the databases that it is for. */
export type ReserveOptions = { readonly bytes: number; readonly databases: readonly string[] };

const lookEveryMs = 100;
const blockBytes = 1024 * 1024;

/**
 * Room on the disk that is held by a file of that size. When half as much is left beside it the file is given up, and
 * from then on only some databases grow; once there is room again it is taken again, and all goes on.
 */
export class Reserve {
  private readonly file: string;
  private readonly options: ReserveOptions;
  private isHeld: boolean;
  private lookedAt = performance.now();

  constructor(storeFile: string, options: ReserveOptions) {
    this.file = `${storeFile}.reserve`;
    this.options = options;
    this.isHeld = sizeOf(this.file) === options.bytes || this.take();
  }

  get isGivenUp(): boolean {
    return !this.isHeld;
  }

  /** Whether this database may grow now. */
  admits(database: string): boolean {
    this.look();
    return this.isHeld || this.options.databases.includes(database);
  }

  giveUp(): void {
    rmSync(this.file, { force: true });
    this.isHeld = false;
  }

  private look(): void {
    if (performance.now() - this.lookedAt < lookEveryMs) return;
    this.lookedAt = performance.now();
    if (!this.isHeld) this.isHeld = this.take();
    else if (freeBytes(this.file) < this.options.bytes / 2) this.giveUp();
  }

  /** Written, not only announced: a file of which nothing is written holds nothing. */
  private take(): boolean {
    const { bytes } = this.options;
    if (freeBytes(this.file) < bytes * 2) return false;
    try {
      const block = randomFillSync(Buffer.alloc(Math.min(bytes, blockBytes)));
      const handle = openSync(this.file, 'w', 0o600);
      try {
        for (let written = 0; written < bytes;)
          written += writeSync(handle, block, 0, Math.min(block.length, bytes - written));
      } finally {
        closeSync(handle);
      }
      return true;
    } catch {
      rmSync(this.file, { force: true });
      return false;
    }
  }
}

function freeBytes(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size;
