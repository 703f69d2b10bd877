import { Injectable } from '@nestjs/common';
import type { DocumentId, downloadDocument, openDocument, readDocumentText } from '@parley/contracts';
import { Blobs } from '@parley/platform/blobs';
import type { OrganisationScope } from '@parley/platform/mongo';
import type { InputOf, Member } from '@parley/platform/service';
import { Problem, type Download, type ResponseOf } from '@parley/protocol';
import { connectionOf, ConnectionsRepository, ReadableConnections } from '../connections/index.ts';
import { KeywordIndex } from '../retrieval/index.ts';
import type { DocumentRow } from './rows/document.collection.ts';
import { blobKey } from './rows/document.ts';
import { DocumentsRepository } from './rows/documents.repository.ts';

type Reader = { readonly scope: OrganisationScope; readonly principal: Member };

/** Opens what a citation leads to, for exactly those who may read its passages: by the audience of its connection. */
@Injectable()
export class OpenedDocuments {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly connections: ConnectionsRepository,
    private readonly readable: ReadableConnections,
    private readonly retrieval: KeywordIndex,
    private readonly blobs: Blobs,
  ) {}

  async open({ scope, principal, params }: InputOf<typeof openDocument>): Promise<ResponseOf<typeof openDocument>> {
    const row = await this.find({ scope, principal }, params.documentId);
    const { _id: id, name, mediaType, bytes, status, passageCount, createdAt, queuedAt, isDeleted, deletedAt } = row;
    return {
      id,
      name,
      mediaType,
      bytes,
      storedAt: (queuedAt ?? createdAt).toISOString(),
      isAhead: passageCount > 0 && status !== 'searchable',
      hasFile: bytes > 0,
      deletedAt: isDeleted ? (deletedAt ?? createdAt).toISOString() : null,
      webAddress: await this.webAddressOf(scope, row),
    };
  }

  async text({
    scope,
    principal,
    params,
    query,
  }: InputOf<typeof readDocumentText>): Promise<ResponseOf<typeof readDocumentText>> {
    const { _id } = await this.findKept({ scope, principal }, params.documentId);
    const { passages, ...beside } = await this.retrieval.textOf(scope, _id, query);
    return {
      passages: passages.map(({ chunkId, heading, text, place }) => ({
        chunkId,
        heading,
        text,
        ...(place && { place }),
      })),
      ...beside,
    };
  }

  async download({ scope, principal, params }: InputOf<typeof downloadDocument>): Promise<Download> {
    const open = async () => this.findKept({ scope, principal }, params.documentId);
    let row = await open();
    let content = await this.blobs.get(blobKey(row));
    // A newer version may have taken its place in between.
    if (!content) content = await this.blobs.get(blobKey((row = await open())));
    if (!content) throw new Problem('chat.document-file-missing');
    return { name: row.name, content };
  }

  /** Deleted ones too, until they are erased. What the reader may not read is as if it were not there. */
  private async find({ scope, principal }: Reader, id: DocumentId): Promise<DocumentRow> {
    const [row, readable] = await Promise.all([
      this.documents.find(scope, id, { withDeleted: true }),
      this.readable.of(scope, principal),
    ]);
    if (!row || !readable.includes(connectionOf(row))) throw new Problem('chat.document-not-found');
    return row;
  }

  private async findKept(reader: Reader, id: DocumentId): Promise<DocumentRow> {
    const row = await this.find(reader, id);
    if (row.isDeleted) throw new Problem('chat.document-not-found', { detail: 'The document was deleted.' });
    return row;
  }

  /** What a bucket calls its files is no address, whatever it looks like. */
  private async webAddressOf(scope: OrganisationScope, row: DocumentRow): Promise<string | null> {
    if (!row.address || !/^https?:\/\//i.test(row.address)) return null;
    const connection = await this.connections.find(scope, connectionOf(row));
    return connection?.source.kind === 'web' ? row.address : null;
  }
}
