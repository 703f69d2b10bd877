import {
  deleteDocument,
  downloadDocument,
  eraseDocument as eraseNow,
  listDeletedDocuments,
  listDocuments,
  openDocument,
  readDocumentText,
  replaceDocument,
  restoreDocument,
  retryDocument,
  uploadDocument,
} from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { ConnectionsModule } from '../connections/index.ts';
import { retrievalFeature } from '../retrieval/index.ts';
import { DeletedDocumentsService } from './deleted-documents.service.ts';
import { eraseDocument } from './document-jobs.ts';
import { DocumentEraser } from './document-eraser.ts';
import { DocumentReader } from './reading/document-reader.ts';
import { DocumentsRepository } from './rows/documents.repository.ts';
import { DocumentsService } from './documents.service.ts';
import { Readers } from './reading/readers.ts';
import { readFile, readLongFile } from './reading/reading-jobs.ts';
import { OpenedDocuments } from './opened-documents.service.ts';
import { StorageQuota } from './storing/storage-quota.ts';
import { SyncedDocuments } from './synced-documents.ts';

export { deletedDocumentsToJobs, unreadDocumentsToJobs } from './document-jobs.ts';
export { isOfSource, mediaTypeIn, type FailureOfSource } from './rows/document.ts';
export { cleanName, mediaTypeOf } from './rows/document.ts';
export { SyncedDocuments, type Act, type Doing, type SourceDocument } from './synced-documents.ts';
export { DocumentsService } from './documents.service.ts';
export { documentStorage, documentTextBytes } from './storing/storage-source.ts';
export { Readers } from './reading/readers.ts';
export { isUnread, queueReading, readFile, readLongFile, type ReadingInput } from './reading/reading-jobs.ts';
export { isRead, progressOf, readInTurn, readStored, unfinished, type By, type Outcome } from './reading/reading.ts';
export { isOverQuota, StorageQuota } from './storing/storage-quota.ts';

/** Uploads and the reader: one limited process per document, which reaches nothing but the document. */
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
  jobs: [runBy(readFile, Readers), runBy(readLongFile, Readers), runBy(eraseDocument, DocumentEraser)],
  providers: [DocumentsRepository, DocumentReader, StorageQuota, SyncedDocuments],
  imports: [ConnectionsModule, retrievalFeature],
  exports: [DocumentEraser, DocumentsRepository, DocumentsService, Readers, StorageQuota, SyncedDocuments],
});

/** Deleted documents: listed, and erased at once. */
export const deletedDocumentsFeature = feature({
  routes: { list: listDeletedDocuments, erase: eraseNow },
  handlers: DeletedDocumentsService,
  imports: [documentsFeature],
});

/** Documents as a citation leads to them: what they are, their text in parts, and their file. */
export const openedDocumentsFeature = feature({
  routes: { open: openDocument, text: readDocumentText, download: downloadDocument },
  handlers: OpenedDocuments,
  imports: [documentsFeature, ConnectionsModule, retrievalFeature],
});
