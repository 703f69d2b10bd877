import { Injectable } from '@nestjs/common';
import type { ConnectionId, Document, DocumentId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { apartFromClients, derivedId } from '@parley/platform/ids';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import type { Readable } from 'node:stream';
import type { ConnectionRow } from '../connections/index.ts';
import { KeywordIndex } from '../retrieval/index.ts';
import type { DocumentRow, NewDocument } from './rows/document.collection.ts';
import { blobKey, cleanName, isOfSource, newDocument, type FailureOfSource } from './rows/document.ts';
import { DocumentsRepository } from './rows/documents.repository.ts';
import { DocumentsService, type Dropping } from './documents.service.ts';
import { StorageQuota } from './storing/storage-quota.ts';

/** Documents after which others have their turn. */
const erasedAtOnce = 20;
const syncing = job('syncs data connections');
/** What is done in a transaction. */
export type Act = (tx: Transaction) => Promise<unknown>;
/** How it is done, when something of the caller's own belongs to it. */
export type Doing = (act: Act) => Promise<void>;
/** As it is in the source. */
export type SourceDocument = {
  readonly address: string;
  readonly name: string;
  readonly mediaType: Document['mediaType'];
  readonly etag: string | null;
  readonly lastModified: string | null;
  readonly hash: string | null;
};

/**
 * The documents of connections that are synced. A document's id follows from its connection and its address, so that
 * what is done again, by whoever, is done to the same one.
 */
@Injectable()
export class SyncedDocuments {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly service: DocumentsService,
    private readonly retrieval: KeywordIndex,
    private readonly quota: StorageQuota,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Those that are there, by address. */
  async known(
    scope: OrganisationScope,
    id: ConnectionId,
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, DocumentRow>> {
    const rows = await this.documents.findMany(
      scope,
      addresses.flatMap((address) => idsAt(id, address)),
    );
    const isThere = (row: DocumentRow) => !row.isDeleted && row.connectionId === id;
    return new Map(rows.filter(isThere).map((row) => [row.address ?? '', row]));
  }

  /** All addresses that documents of the connection have. */
  async *addresses(scope: OrganisationScope, id: ConnectionId): AsyncGenerator<string[]> {
    for (let after: DocumentId | null = null, isMore = true; isMore;) {
      const rows: DocumentRow[] = await this.documents.listAfter(scope, id, after);
      yield rows.flatMap(({ address }) => address ?? []);
      after = rows.at(-1)?._id ?? null;
      isMore = after !== null;
    }
  }

  keep(
    scope: OrganisationScope,
    { _id, run }: Pick<ConnectionRow, '_id' | 'run'>,
    addresses: readonly string[],
    doing: Doing = this.alone,
  ): Promise<void> {
    const ids = addresses.flatMap((address) => idsAt(_id, address));
    const seen = { connectionId: _id, seenRun: run, triedAt: this.clock.now() };
    return doing((tx) => this.documents.setSeen(scope, ids, seen, tx));
  }

  /**
   * Its file, for the reader: what answers quote of it until then is what was there before. Throws
   * `chat.storage-quota-reached` where it does not fit.
   */
  async store(
    scope: OrganisationScope,
    { _id: connectionId, name: sourceName, run }: Pick<ConnectionRow, '_id' | 'name' | 'run'>,
    found: SourceDocument,
    content: Readable,
    doing: Doing = this.alone,
  ): Promise<void> {
    const id = await this.idAt(scope, connectionId, found.address);
    const known = await this.documents.find(scope, id, { withDeleted: true });
    const { address: _address, name, ...state } = found;
    const file = { id, orgId: scope.orgId, connectionId, name: cleanName(name), mediaType: found.mediaType };
    const now = this.clock.now();
    const asOf = dateOf(found.lastModified) ?? now;
    const inSource = { ...state, address: found.address, asOf, triedAt: now, seenRun: run };
    await this.service.store(scope, { id, replaced: known?.bytes ?? 0 }, content, (stored) =>
      doing(async (tx) => {
        const { fileKey, bytes, settle, drop } = stored;
        await settle(tx);
        await this.write(scope, newDocument({ ...file, fileKey, bytes }, sourceName, now, inSource), { tx, drop });
      }),
    );
  }

  /** What is searchable stays so; what is not there yet stands in the list with the reason. */
  async fail(
    scope: OrganisationScope,
    connection: Pick<ConnectionRow, '_id' | 'name' | 'run'>,
    found: Pick<SourceDocument, 'address' | 'name' | 'mediaType'>,
    failure: FailureOfSource,
    doing: Doing = this.alone,
  ): Promise<void> {
    const { _id: connectionId, name: sourceName, run } = connection;
    const known = (await this.known(scope, connectionId, [found.address])).get(found.address);
    if (known && known.status !== 'failed') return this.keep(scope, connection, [found.address], doing);
    const { address, name, mediaType } = found;
    const id = await this.idAt(scope, connectionId, address);
    const file = { id, orgId: scope.orgId, connectionId, name: cleanName(name) };
    const now = this.clock.now();
    const inSource = { address, triedAt: now, seenRun: run, status: 'failed' as const, failure };
    const row = newDocument({ ...file, mediaType, bytes: 0 }, sourceName, now, inSource);
    await this.quota.dropping(scope, (drop) => doing((tx) => this.write(scope, row, { tx, drop })));
  }

  /** How many the sync has not seen, and of how many. */
  async unseen(scope: OrganisationScope, id: ConnectionId, run: number): Promise<{ count: number; of: number }> {
    const [count, of] = await Promise.all([
      this.documents.countUnseen(scope, id, run),
      this.documents.count(scope, [id]),
    ]);
    return { count, of };
  }

  /** Takes what the sync has not seen out of answers, one after the other. */
  async removeUnseen(
    scope: OrganisationScope,
    id: ConnectionId,
    run: number,
    doing: Doing = this.alone,
  ): Promise<void> {
    for (let rows = await this.documents.listUnseen(scope, id, run); rows.length > 0;) {
      for (const row of rows) await doing((tx) => this.remove(scope, row, tx));
      rows = await this.documents.listUnseen(scope, id, run);
    }
  }

  /** Some of a deleted connection, with files and passages; false where none was left. */
  async eraseSome(scope: OrganisationScope, id: ConnectionId): Promise<boolean> {
    const rows = await this.documents.listAll(scope, id, erasedAtOnce);
    for (const row of rows) {
      await this.retrieval.remove(scope, row._id);
      await this.quota.dropping(scope, (drop) =>
        this.work.run(syncing, async (tx) => {
          const erased = await this.documents.erase(scope, row._id, tx);
          if (erased) await drop(tx, blobKey(erased));
        }),
      );
    }
    return rows.length > 0;
  }

  /** What the reader has failed at waits for it again; `isOfSource`: of some the source is to blame. */
  async retryFailed(scope: OrganisationScope, id: ConnectionId): Promise<{ count: number; isOfSource: boolean }> {
    const failed = await this.documents.listFailed(scope, id);
    for (const row of failed.filter((each) => !isOfSource(each)))
      await this.work.run(syncing, async (tx) => {
        const again = await this.documents.requeue(scope, row._id, tx);
        if (again) this.service.record(tx, again);
      });
    return { count: failed.length, isOfSource: failed.some(isOfSource) };
  }

  /** Returns the id of a document; one that an earlier version stored keeps its id, unless somebody took it for another. */
  private async idAt(scope: OrganisationScope, id: ConnectionId, address: string): Promise<DocumentId> {
    const [current, earlier] = idsAt(id, address);
    if (earlier === undefined) return current;
    const kept = await this.documents.find(scope, earlier, { withDeleted: true });
    return kept?.connectionId === id ? earlier : current;
  }

  private readonly alone: Doing = async (act) => void (await this.work.run(syncing, act));

  private async write(scope: OrganisationScope, row: NewDocument, dropping: Dropping): Promise<void> {
    const { tx, drop } = dropping;
    const replaced = await this.service.overwrite(scope, row, dropping);
    const stored = replaced ?? (await this.documents.create(scope, row, tx)).row;
    // A document that is being erased isn't replaced, so the new file is dropped.
    if (row.fileKey && stored.fileKey !== row.fileKey) await drop(tx, row.fileKey);
    this.service.record(tx, stored);
  }

  private async remove(scope: OrganisationScope, { _id }: DocumentRow, tx: Transaction): Promise<void> {
    const gone = { isDeleted: true, now: this.clock.now() };
    const row = await this.documents.setDeleted(scope, _id, gone, tx);
    if (!row) return;
    await this.retrieval.setHidden(scope, _id, true, tx);
    this.service.record(tx, row);
  }
}

function dateOf(header: string | null): Date | null {
  const date = new Date(header ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

/** The id of a document, and a second one where an earlier version made another. */
function idsAt(id: ConnectionId, address: string): readonly [DocumentId, ...DocumentId[]] {
  const derived = derivedId('document', [id, address]);
  const apart = apartFromClients(derived);
  return apart === derived ? [apart] : [apart, derived];
}
