export { DocumentsModule } from './documents.module.ts';
export { DocumentsService } from './documents.service.ts';
