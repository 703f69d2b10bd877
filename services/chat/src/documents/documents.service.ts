import { Injectable } from '@nestjs/common';
import {
  documentChanged,
  limits,
  Problem,
  type Document,
  type DocumentId,
  type PersonPrincipal,
  type QueryOf,
  type ResponseOf,
  type listDocuments,
} from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import { Doorbell } from '@parley/platform/doorbell';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import type { Readable } from 'node:stream';
import { RetrievalIndex } from '../retrieval/index.ts';
import { cleanName, mediaTypeOf, nameKeys, toDocument } from './document.ts';
import type { DocumentRow } from './document.schema.ts';
import { DocumentsRepository } from './documents.repository.ts';

export const blobKey = (row: Pick<DocumentRow, '_id' | 'orgId'>): string =>
  `documents/${row.orgId}/${row._id}`.toLowerCase();
/** Rung when a document waits for a reader. */
export const documentsWaiting = 'chat:documents-waiting';

@Injectable()
export class DocumentsService {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly retrieval: RetrievalIndex,
    private readonly blobs: Blobs,
    private readonly doorbell: Doorbell,
    private readonly work: Work,
  ) {}

  async list(
    scope: OrganisationScope,
    { limit, cursor, ...filter }: QueryOf<typeof listDocuments>,
  ): Promise<ResponseOf<typeof listDocuments>> {
    const [found, all, searchable, failed] = await Promise.all([
      this.documents.list(scope, { ...filter, after: (cursor ?? null) as DocumentId | null, limit: limit + 1 }),
      this.documents.count(scope),
      this.documents.count(scope, 'searchable'),
      this.documents.count(scope, 'failed'),
    ]);
    const shown = found.slice(0, limit);
    return {
      items: shown.map(toDocument),
      nextCursor: found.length > limit ? (shown.at(-1)?._id ?? null) : null,
      counts: { all, searchable, failed },
    };
  }

  /** How much there is to answer from. */
  async state(scope: OrganisationScope): Promise<{ documentCount: number; indexedAt: Date | null }> {
    const [documentCount, indexedAt] = await Promise.all([
      this.searchableCount(scope),
      this.documents.latestIndexedAt(scope),
    ]);
    return { documentCount, indexedAt };
  }

  async searchableCount(scope: OrganisationScope): Promise<number> {
    return this.documents.count(scope, 'searchable');
  }

  /** Durable when it resolves; read soon after. Repeating with the same id returns what was stored. */
  async upload(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    file: { id: DocumentId; name: string; content: Readable },
  ): Promise<Document> {
    const mediaType = mediaTypeOf(file.name);
    const made = await this.documents.find(scope, file.id, { withDeleted: true });
    if (made) return toDocument(made);
    const name = cleanName(file.name);
    const key = blobKey({ _id: file.id, orgId: scope.orgId });
    const bytes = await this.blobs.put(key, file.content, { maxBytes: limits.fileBytes });
    if (bytes === 0) {
      await this.blobs.delete(key);
      throw new Problem('chat.document-empty');
    }
    const row: DocumentRow = {
      _id: file.id,
      orgId: scope.orgId,
      name,
      nameKeys: nameKeys(scope.orgId, name),
      mediaType,
      bytes,
      status: 'stored',
      failure: null,
      passageCount: 0,
      uploadedBy: principal.name,
      createdAt: new Date(),
      indexedAt: null,
      isDeleted: false,
      deletedAt: null,
      leaseUntil: null,
      version: 1,
    };
    await this.work.run(principal, async (tx) => {
      await this.documents.create(scope, row, tx);
      this.record(tx, row);
    });
    this.wake();
    return toDocument(row);
  }

  async delete(scope: OrganisationScope, principal: PersonPrincipal, id: DocumentId): Promise<void> {
    const isKnown = await this.setDeleted(scope, principal, { id, isDeleted: true });
    if (isKnown) await this.retrieval.setHidden(scope, id, true);
  }

  async restore(scope: OrganisationScope, principal: PersonPrincipal, id: DocumentId): Promise<Document> {
    await this.setDeleted(scope, principal, { id, isDeleted: false });
    const row = await this.documents.find(scope, id);
    if (!row) throw new Problem('chat.document-not-found');
    if (row.status === 'searchable') await this.retrieval.setHidden(scope, id, false);
    else this.wake();
    return toDocument(row);
  }

  /** Reads a failed document again; any other state stays as it is. */
  async retry(scope: OrganisationScope, principal: PersonPrincipal, id: DocumentId): Promise<Document> {
    const requeued = await this.work.run(principal, async (tx) => {
      const row = await this.documents.requeue(scope, id, tx);
      if (row) this.record(tx, row);
      return row;
    });
    if (requeued) this.wake();
    const row = requeued ?? (await this.documents.find(scope, id));
    if (!row) throw new Problem('chat.document-not-found');
    return toDocument(row);
  }

  record(tx: Transaction, row: DocumentRow): void {
    const { _id, orgId, passageCount } = row;
    const data = { orgId, documentId: _id, status: row.isDeleted ? ('deleted' as const) : row.status, passageCount };
    tx.record(documentChanged, data);
  }

  private async setDeleted(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    { id, isDeleted }: { id: DocumentId; isDeleted: boolean },
  ): Promise<boolean> {
    const changed = await this.work.run(principal, async (tx) => {
      const row = await this.documents.setDeleted(scope, id, { isDeleted, now: new Date() }, tx);
      if (row) this.record(tx, row);
      return row;
    });
    if (!changed && !(await this.documents.find(scope, id, { withDeleted: true })))
      throw new Problem('chat.document-not-found');
    return changed !== null;
  }

  private wake(): void {
    this.doorbell.ring(documentsWaiting);
  }
}
