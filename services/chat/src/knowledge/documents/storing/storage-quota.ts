import { Injectable } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { every } from '@parley/platform/every';
import { freeingSpace, Mongo, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { quotaFull, Quotas, type QuotaKey } from '@parley/platform/quotas';
import { Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { ChatSettings } from '../../../chat.config.ts';
import { PendingFiles, type Drop, type Settle, type Storing } from './pending-files.ts';

const pendingMs = 60_000;

/** A file of at most `most` bytes, in place of `replaced` bytes. */
export type FileToStore = { readonly key: string; readonly replaced: number; readonly most: number };
/** Tells the transaction that writes a row its file, and how rows get and lose theirs. */
export type StoredFile = {
  readonly fileKey: string;
  readonly bytes: number;
  readonly settle: Settle;
  readonly drop: Drop;
};
export type Storage = { readonly usedBytes: number; readonly quotaBytes: number };

/**
 * How much an organisation stores, and may store. Counted are the file of a document or chat and the text of its
 * passages, in the transactions that store, finish and erase it, and embeddings in those that store and delete them:
 * once per document or batch of embeddings, so that parallel readers of an organisation seldom meet at its counter.
 */
@Injectable()
export class StorageQuota {
  readonly upkeep = every('deletes files that no row has', pendingMs, () => freeingSpace(() => this.deletePending()));
  private readonly quotas: Quotas;
  private readonly key: QuotaKey;
  private readonly pending: PendingFiles;

  constructor(
    mongo: Mongo,
    private readonly blobs: Blobs,
    settings: ChatSettings,
    work: Work,
    clock: Clock,
  ) {
    this.quotas = new Quotas(mongo);
    this.key = { quota: 'storage', defaultCeiling: settings.storagePerOrganisation };
    const count = (scope: OrganisationScope, tx: Transaction, by: number) =>
      this.quotas.add(scope, tx, { ...this.key, by });
    this.pending = new PendingFiles({ mongo, blobs, work, clock, count });
  }

  async read(scope: OrganisationScope, tx?: Transaction): Promise<Storage> {
    const { used, ceiling } = await this.quotas.read(scope, this.key, tx);
    return { usedBytes: used, quotaBytes: ceiling };
  }

  /** Throws `chat.storage-quota-reached` unless so many more bytes fit. */
  async check(scope: OrganisationScope, more: number, tx?: Transaction): Promise<void> {
    const { usedBytes, quotaBytes } = await this.read(scope, tx);
    if (usedBytes + more > quotaBytes) throw quotaFull('storage', quotaBytes);
  }

  /**
   * Stores a file under a key of its own, which begins with `key`, then has `keep` write its row in a transaction that
   * calls `settle`. Until then the file counts as a pending one; where either fails, it is deleted.
   */
  store<Result>(
    scope: OrganisationScope,
    file: FileToStore,
    content: AsyncIterable<Buffer>,
    keep: (stored: StoredFile) => Promise<Result>,
  ): Promise<Result> {
    const fileKey = `${file.key}-${randomUUID()}`;
    let bytes = 0;
    const put = async () => {
      bytes = await this.put(scope, { ...file, key: fileKey }, content);
      return Math.max(0, bytes - file.replaced);
    };
    const keepFile = (settle: Settle, drop: Drop) => keep({ fileKey, bytes, settle, drop });
    return this.pending.store(scope, { keys: [fileKey], put, keep: keepFile });
  }

  /** Runs what takes files from their rows, in transactions that call `drop`; then these are deleted. */
  dropping<Result>(scope: OrganisationScope, run: (drop: Drop) => Promise<Result>): Promise<Result> {
    return this.pending.dropping(scope, run);
  }

  /** As `store`, for several files of one row. */
  storeAll<Result>(scope: OrganisationScope, storing: Storing<Result>): Promise<Result> {
    return this.pending.store(scope, storing);
  }

  /** Deletes files that no row has and whose process died. */
  deletePending(): Promise<void> {
    return this.pending.deleteOverdue();
  }

  /**
   * Stores a file of at most `most` bytes as far as it fits, in place of `replaced` bytes; returns its size. Throws
   * `chat.storage-quota-reached` where the quota ends before the file, and then keeps what was there.
   */
  async put(
    scope: OrganisationScope,
    { key, replaced, most }: FileToStore,
    content: AsyncIterable<Buffer>,
  ): Promise<number> {
    const { usedBytes, quotaBytes } = await this.read(scope);
    const room = quotaBytes - usedBytes + replaced;
    if (room <= 0) throw quotaFull('storage', quotaBytes);
    try {
      const maxBytes = Math.min(most, room);
      return await this.blobs.put(key, Readable.from(refusingNothing(content), { objectMode: false }), { maxBytes });
    } catch (error) {
      const isCut = error instanceof Problem && error.code === 'platform.body-too-large';
      throw isCut && room < most ? quotaFull('storage', quotaBytes) : error;
    }
  }
}

/** Whether the quota is why something was refused. */
export const isOverQuota = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'chat.storage-quota-reached';

/** One without a byte is refused before it takes the place of what is there. */
async function* refusingNothing(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isEmpty = true;
  for await (const chunk of content) {
    isEmpty &&= chunk.length === 0;
    yield chunk;
  }
  if (isEmpty) throw new Problem('chat.document-empty');
}
