import { Controller } from '@nestjs/common';
import {
  deleteDocument,
  listDocuments,
  restoreDocument,
  retryDocument,
  uploadDocument,
  type Document,
  type ResponseOf,
} from '@parley/contracts';
import { Input, Route, type InputOf } from '@parley/platform/service';
import { DocumentsService } from './documents.service.ts';

@Controller()
export class DocumentsController {
  constructor(private readonly documents: DocumentsService) {}

  @Route(listDocuments)
  list(@Input() { scope, query }: InputOf<typeof listDocuments>): Promise<ResponseOf<typeof listDocuments>> {
    return this.documents.list(scope, query);
  }

  @Route(uploadDocument)
  upload(@Input() { scope, principal, query, request }: InputOf<typeof uploadDocument>): Promise<Document> {
    return this.documents.upload(scope, principal, { ...query, content: request });
  }

  @Route(deleteDocument)
  delete(@Input() { scope, principal, params }: InputOf<typeof deleteDocument>): Promise<void> {
    return this.documents.delete(scope, principal, params.documentId);
  }

  @Route(restoreDocument)
  restore(@Input() { scope, principal, params }: InputOf<typeof restoreDocument>): Promise<Document> {
    return this.documents.restore(scope, principal, params.documentId);
  }

  @Route(retryDocument)
  retry(@Input() { scope, principal, params }: InputOf<typeof retryDocument>): Promise<Document> {
    return this.documents.retry(scope, principal, params.documentId);
  }
}
