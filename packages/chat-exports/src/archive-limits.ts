import { UnreadableExport } from './read-chat.ts';

export type ArchiveLimits = {
  readonly entries: number;
  readonly unpackedBytes: number;
  /** Bounds how many times its packed size an entry of JSON or an archive can have, above `plainBytes`. */
  readonly ratio: number;
  readonly plainBytes: number;
  /** Deflated archives inside archives: what of them is kept in memory, and what is inflated again to get to a place. */
  readonly heldBytes: number;
  readonly skippedBytes: number;
};

const gigabyte = 1024 ** 3;
export const archiveLimits: ArchiveLimits = {
  entries: 200_000,
  unpackedBytes: 20 * gigabyte,
  ratio: 200,
  plainBytes: 64 * 1024 ** 2,
  heldBytes: 64 * 1024 ** 2,
  skippedBytes: 40 * gigabyte,
};

/** Counts over all archives of an upload; throws `too-much-inside` beyond a limit. */
export class ArchiveBudget {
  private entries = 0;
  private unpackedBytes = 0;
  private heldBytes = 0;
  private skippedBytes = 0;

  constructor(private readonly limits: ArchiveLimits = archiveLimits) {}

  addEntries(count: number): void {
    this.entries += count;
    if (this.entries > this.limits.entries) throw new UnreadableExport('too-much-inside');
  }

  addUnpacked(bytes: number): void {
    this.unpackedBytes += bytes;
    if (this.unpackedBytes > this.limits.unpackedBytes) throw new UnreadableExport('too-much-inside');
  }

  addSkipped(bytes: number): void {
    this.skippedBytes += bytes;
    if (this.skippedBytes > this.limits.skippedBytes) throw new UnreadableExport('too-much-inside');
  }

  assertRatio({ size, packed }: { readonly size: number; readonly packed: number }): void {
    if (size > this.limits.plainBytes && size > this.limits.ratio * packed)
      throw new UnreadableExport('too-much-inside');
  }

  /** Whether so many bytes can be kept in memory; counts them if so. */
  hold(bytes: number): boolean {
    if (this.heldBytes + bytes > this.limits.heldBytes) return false;
    this.heldBytes += bytes;
    return true;
  }
}
