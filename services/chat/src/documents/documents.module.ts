import { Module } from '@nestjs/common';
import { RetrievalModule } from '../retrieval/index.ts';
import { DocumentReader } from './document-reader.ts';
import { DocumentsController } from './documents.controller.ts';
import { DocumentsRepository } from './documents.repository.ts';
import { DocumentsService } from './documents.service.ts';

@Module({
  imports: [RetrievalModule],
  controllers: [DocumentsController],
  providers: [DocumentsService, DocumentsRepository, DocumentReader],
  exports: [DocumentsService],
})
export class DocumentsModule {}
