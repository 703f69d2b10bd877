import {
  deleteDocument,
  downloadDocument,
  eraseDocument,
  listDeletedDocuments,
  listDocuments,
  openDocument,
  readDocumentText,
  replaceDocument,
  restoreDocument,
  retryDocument,
  uploadDocument,
} from '@parley/contracts';
import { SharesModule } from '@parley/platform/fair-turns';
import { feature } from '@parley/platform/service';
import { ConnectionsModule } from '../connections/index.ts';
import { retrievalFeature } from '../retrieval/index.ts';
import { DeletedDocumentsService } from './deleted-documents.service.ts';
import { DocumentEraser } from './document-eraser.ts';
import { DocumentReader } from './document-reader.ts';
import { DocumentsRepository } from './documents.repository.ts';
import { DocumentsService } from './documents.service.ts';
import { OpenedDocuments } from './opened-documents.service.ts';
import { StorageQuota } from './storage-quota.ts';
import { SyncedDocuments } from './synced-documents.ts';

export { isOfSource, mediaTypeIn, type FailureOfSource } from './document.ts';
export { readLinks, type PageLinks } from './reader/reader.ts';
export { SyncedDocuments, type Act, type Doing, type SourceDocument } from './synced-documents.ts';
export { DocumentsService } from './documents.service.ts';
export { documentTextBytes, storageStock } from './storage-stock.ts';
export { isOverQuota } from './storage-quota.ts';

/** Uploads and the reader: one limited process per document, which reaches nothing but the document; two attempts. */
export const documentsFeature = feature({
  routes: {
    list: listDocuments,
    upload: uploadDocument,
    replace: replaceDocument,
    delete: deleteDocument,
    restore: restoreDocument,
    retry: retryDocument,
  },
  handlers: DocumentsService,
  providers: [DocumentsRepository, DocumentEraser, DocumentReader, StorageQuota, SyncedDocuments],
  imports: [SharesModule, ConnectionsModule, retrievalFeature],
  exports: [DocumentEraser, DocumentsRepository, DocumentsService, SyncedDocuments],
});

/** Deleted documents: listed, and erased at once. */
export const deletedDocumentsFeature = feature({
  routes: { list: listDeletedDocuments, erase: eraseDocument },
  handlers: DeletedDocumentsService,
  imports: [documentsFeature],
});

/** Documents as a citation leads to them: what they are, their text in parts, and their file. */
export const openedDocumentsFeature = feature({
  routes: { open: openDocument, text: readDocumentText, download: downloadDocument },
  handlers: OpenedDocuments,
  imports: [documentsFeature, ConnectionsModule, retrievalFeature],
});
