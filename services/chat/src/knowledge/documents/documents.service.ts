import { Injectable } from '@nestjs/common';
import {
  documentChanged,
  documentsManaged,
  limits,
  mostDocuments,
  type deleteDocument,
  type ConnectionId,
  type Document,
  type DocumentId,
  type listDocuments,
  type replaceDocument,
  type PersonPrincipal,
  type restoreDocument,
  type retryDocument,
  type uploadDocument,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf, Member } from '@parley/platform/service';
import { quotaFull } from '@parley/platform/quotas';
import { Work } from '@parley/platform/work';
import { Problem, type DataOf, type ResponseOf } from '@parley/protocol';
import {
  ConnectionsRepository,
  connectionOf,
  defaultConnectionIdOf,
  ReadableConnections,
} from '../connections/index.ts';
import { KeywordIndex, type Within } from '../retrieval/index.ts';
import type { DocumentRow, NewDocument } from './rows/document.collection.ts';
import { blobKey, cleanName, isOfSource, keyStart, mediaTypeOf, newDocument, toDocument } from './rows/document.ts';
import { DocumentsRepository } from './rows/documents.repository.ts';
import type { Drop } from './storing/pending-files.ts';
import { StorageQuota, type Storage, type StoredFile } from './storing/storage-quota.ts';

/** Who wants what done with which document. */
type Wish = { readonly scope: OrganisationScope; readonly principal: PersonPrincipal; readonly id: DocumentId };

/** A person's act on a document. */
type DocumentAct = Omit<Wish, 'id'> & {
  readonly row: DocumentRow;
  readonly change: DataOf<typeof documentsManaged>['change'];
};

/** The transaction that takes a file from its row. */
export type Dropping = { readonly tx: Transaction; readonly drop: Drop };
type Counts = { all: number; searchable: number; failed: number };

@Injectable()
export class DocumentsService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly retrieval: KeywordIndex,
    private readonly readable: ReadableConnections,
    private readonly connections: ConnectionsRepository,
    private readonly quota: StorageQuota,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async list({
    scope,
    principal,
    query: { connectionId, ...query },
  }: InputOf<typeof listDocuments>): Promise<ResponseOf<typeof listDocuments>> {
    const listed = await this.readable.listed(scope, principal);
    const within = connectionId ? listed.filter((id) => id === connectionId) : listed;
    const [page, counts] = await Promise.all([this.documents.list(scope, within, query), this.counts(scope, within)]);
    return { ...page, counts };
  }

  async counts(scope: OrganisationScope, within: Within): Promise<Counts> {
    const sum: Counts = { all: 0, searchable: 0, failed: 0 };
    for (const each of (await this.countsOfEach(scope, within)).values())
      for (const state of ['all', 'searchable', 'failed'] as const) sum[state] += each[state];
    return sum;
  }

  /** How many documents each of these connections has. */
  async countsOfEach(scope: OrganisationScope, within: Within): Promise<ReadonlyMap<ConnectionId, Counts>> {
    const each = new Map(within.map((id) => [id, { all: 0, searchable: 0, failed: 0 }]));
    for (const { connectionId, status, count } of await this.documents.countByState(scope, within)) {
      const counts = each.get(connectionId)!;
      counts.all += count;
      if (status === 'searchable' || status === 'failed') counts[status] += count;
    }
    return each;
  }

  /** How much there is to answer from in these connections. */
  async state(scope: OrganisationScope, within: Within): Promise<{ documentCount: number; indexedAt: Date | null }> {
    const [documentCount, indexedAt] = await Promise.all([
      this.searchableCount(scope, within),
      this.documents.latestIndexedAt(scope, within),
    ]);
    return { documentCount, indexedAt };
  }

  /** How many passages a connection has in the index. */
  passageCount(scope: OrganisationScope, id: ConnectionId): Promise<number> {
    return this.retrieval.countIn(scope, id);
  }

  searchableCount(scope: OrganisationScope, within: Within): Promise<number> {
    return this.documents.count(scope, within, 'searchable');
  }

  /** `chat.document-not-found` for what is not there, or stands in none of the member's lists. */
  async assertListed(
    { scope, principal }: { scope: OrganisationScope; principal: Member },
    id: DocumentId,
  ): Promise<void> {
    const [row, listed] = await Promise.all([this.documents.find(scope, id), this.readable.listed(scope, principal)]);
    if (!row || !listed.includes(connectionOf(row))) throw new Problem('chat.document-not-found');
  }

  /** Durable when it resolves; read soon after. Repeating with the same id returns what was stored. */
  async upload({ scope, principal, query, request }: InputOf<typeof uploadDocument>): Promise<Document> {
    const { id, connectionId = defaultConnectionIdOf(scope.orgId) } = query;
    const mediaType = mediaTypeOf(query.name);
    const made = await this.documents.find(scope, id, { withDeleted: true });
    if (made) return toDocument(made);
    await this.checkRoom(scope, connectionId);
    const file = { id, orgId: scope.orgId, connectionId, name: cleanName(query.name), mediaType };
    const stored = await this.store(scope, { id, replaced: 0 }, request, ({ fileKey, bytes, settle, drop }) => {
      const by = { queuedBy: principal.userId };
      const uploaded = newDocument({ ...file, fileKey, bytes }, principal.name, this.clock.now(), by);
      return this.work.run(principal, async (tx) => {
        await settle(tx);
        const { row, isNew } = await this.documents.create(scope, uploaded, tx);
        if (!isNew) {
          await drop(tx, fileKey);
          return row;
        }
        this.record(tx, row);
        await this.recordAct(tx, { scope, principal, row, change: 'uploaded' });
        return row;
      });
    });
    return toDocument(stored);
  }

  /** What is searchable of it stays so until the newer version is read. */
  async replace({ scope, principal, params, query, request }: InputOf<typeof replaceDocument>): Promise<Document> {
    const id = params.documentId;
    const known = await this.documents.find(scope, id);
    if (!known) throw new Problem('chat.document-not-found');
    if (known.address) throw new Problem('platform.conflict', { detail: 'Its source has it; replace it there.' });
    const mediaType = mediaTypeOf(query.name);
    const file = { id, orgId: scope.orgId, connectionId: connectionOf(known), name: cleanName(query.name) };
    const by = { queuedBy: principal.userId };
    const replaced = await this.store(scope, { id, replaced: known.bytes }, request, (stored) => {
      const { fileKey, bytes, settle, drop } = stored;
      const newer = newDocument({ ...file, mediaType, fileKey, bytes }, principal.name, this.clock.now(), by);
      return this.work.run(principal, async (tx) => {
        await settle(tx);
        const row = await this.overwrite(scope, newer, { tx, drop });
        if (!row) throw new Problem('chat.document-not-found');
        this.record(tx, row);
        await this.recordAct(tx, { scope, principal, row, change: 'replaced' });
        return row;
      });
    });
    return toDocument(replaced);
  }

  async delete({ scope, principal, params }: InputOf<typeof deleteDocument>): Promise<void> {
    const id = params.documentId;
    await this.setDeleted({ scope, principal, id }, true);
  }

  async restore({ scope, principal, params }: InputOf<typeof restoreDocument>): Promise<Document> {
    const id = params.documentId;
    await this.setDeleted({ scope, principal, id }, false);
    const row = await this.documents.find(scope, id);
    if (!row) throw new Problem('chat.document-not-found');
    return toDocument(row);
  }

  /** Reads a failed document again, or its source where that did not give it; any other state stays as it is. */
  async retry({ scope, principal, params }: InputOf<typeof retryDocument>): Promise<Document> {
    const failed = await this.documents.find(scope, params.documentId);
    if (failed && isOfSource(failed)) {
      await this.work.run(principal, (tx) => this.connections.want(scope, connectionOf(failed), tx));
      return toDocument(failed);
    }
    const requeued = await this.work.run(principal, async (tx) => {
      const row = await this.documents.requeue(scope, params.documentId, tx);
      if (row) this.record(tx, row);
      return row;
    });
    const row = requeued ?? (await this.documents.find(scope, params.documentId));
    if (!row) throw new Problem('chat.document-not-found');
    return toDocument(row);
  }

  /** Stores the file of a document as far as the organisation's quota goes, then has `keep` write its row. */
  store<Result>(
    scope: OrganisationScope,
    { id, replaced }: { readonly id: DocumentId; readonly replaced: number },
    content: AsyncIterable<Buffer>,
    keep: (stored: StoredFile) => Promise<Result>,
  ): Promise<Result> {
    const key = keyStart({ _id: id, orgId: scope.orgId });
    return this.quota.store(scope, { key, replaced, most: limits.fileBytes }, content, keep);
  }

  /** Returns how much the organisation stores, and may store. */
  storage(scope: OrganisationScope): Promise<Storage> {
    return this.quota.read(scope);
  }

  /** Uploads go to what is there for them, up to as many documents as a connection may have. */
  private async checkRoom(scope: OrganisationScope, id: ConnectionId): Promise<void> {
    const connection = await this.connections.find(scope, id);
    if (!connection) throw new Problem('chat.connection-not-found');
    if (connection.source.kind !== 'upload')
      throw new Problem('platform.conflict', { detail: 'The documents of this connection come from its source.' });
    if ((await this.documents.count(scope, [id])) >= mostDocuments) throw quotaFull('documents', mostDocuments);
  }

  record(tx: Transaction, row: DocumentRow): void {
    const { _id: documentId, orgId, passageCount } = row;
    const status = row.isDeleted ? ('deleted' as const) : row.status;
    tx.record(documentChanged, { orgId, documentId, status, passageCount });
  }

  /** For the organisation's audit log, which has the name of the connection and none of files. */
  async recordAct(tx: Transaction, { scope, principal, row, change }: DocumentAct): Promise<void> {
    const connectionId = connectionOf(row);
    const connection = await this.connections.find(scope, connectionId, tx);
    const named = { orgId: scope.orgId, connectionId, name: connection?.name ?? '' };
    tx.record(documentsManaged, { ...named, by: principal.userId, change, count: 1 });
  }

  /**
   * Replaces the stored version and drops its file; returns null if there is none. Restores a deleted document: search
   * finds its old passages until the newer version is read. Throws `chat.storage-quota-reached` if the growth doesn't fit.
   */
  async overwrite(scope: OrganisationScope, newer: NewDocument, { tx, drop }: Dropping): Promise<DocumentRow | null> {
    const known = await this.documents.find(scope, newer._id, { withDeleted: true, tx });
    if (!known) return null;
    if (known.isDeleted) await this.retrieval.setHidden(scope, newer._id, false, tx);
    const row = await this.documents.replace(scope, newer, tx);
    if (!row) return null;
    await drop(tx, blobKey(known));
    if (newer.bytes > known.bytes) await this.quota.check(scope, 0, tx);
    return row;
  }

  /** Its passages are hidden, or found again, in the same moment. */
  private async setDeleted({ scope, principal, id }: Wish, isDeleted: boolean): Promise<void> {
    const changed = await this.work.run(principal, async (tx) => {
      const row = await this.documents.setDeleted(scope, id, { isDeleted, now: this.clock.now() }, tx);
      if (!row) return null;
      if (isDeleted || row.passageCount > 0) await this.retrieval.setHidden(scope, id, isDeleted, tx);
      this.record(tx, row);
      await this.recordAct(tx, { scope, principal, row, change: isDeleted ? 'deleted' : 'restored' });
      return row;
    });
    if (!changed && !(await this.documents.find(scope, id, { withDeleted: true })))
      throw new Problem('chat.document-not-found');
  }
}
