import {
  downloadFile,
  getFileImage,
  getFilePassage,
  listFiles,
  openFile,
  readFileText,
  retryFile,
  uploadFile,
} from '@parley/contracts';
import { FlowsModule } from '@parley/platform/fair-turns';
import { feature, runBy } from '@parley/platform/service';
import { conversationsFeature, draftsFeature } from '../../conversations/index.ts';
import { BudgetsModule } from '../../assistants/budgets/index.ts';
import { providersFeature } from '../../assistants/models/index.ts';
import { documentsFeature } from '../documents/index.ts';
import { embeddingsFeature } from '../embeddings/index.ts';

import { FileEmbeddingStep } from './file-embedding-step.ts';
import { FileEraser } from './file-eraser.ts';
import { checkFile, embedFile } from './file-jobs.ts';
import { FileHolders } from './file-holders.ts';
import { FileMeaning } from './file-meaning.ts';
import { FilePassages } from './file-passages.ts';
import { FileReader } from './file-reader.ts';
import { FileSearch } from './file-search.ts';
import { FilesRepository } from './files.repository.ts';
import { FilesService } from './files.service.ts';
import { FileUses } from './file-uses.ts';
import { FileVectors } from './file-vectors.ts';
import { ImportedFiles } from './imported-files.ts';
import { ImageIntake } from './images/image-intake.ts';
import { ImageReader } from './images/image-reader.ts';
import { SeenImages } from './images/seen-images.ts';
import { StoredFiles } from './stored-files.ts';

export { checksToJobs, embeddingsToJobs, unreadFilesToJobs } from './file-jobs.ts';
export { FileSearch, type FilePassage } from './file-search.ts';
export { ImageIntake, type GivenImage } from './images/image-intake.ts';
export { SeenImages, type StoredImage } from './images/seen-images.ts';
export { StoredFiles } from './stored-files.ts';
export { storageSource } from './storage-source.ts';
export { ImportedFiles, type GivenFile, type NotStored } from './imported-files.ts';
export { FileUses } from './file-uses.ts';

/**
 * Files of chats: uploaded by a person, read by the readers of documents, and kept while a question or a draft has them.
 * Their passages are searched for answers of these chats only.
 */
export const filesFeature = feature({
  routes: {
    upload: uploadFile,
    list: listFiles,
    retry: retryFile,
    open: openFile,
    text: readFileText,
    download: downloadFile,
    image: getFileImage,
    passage: getFilePassage,
  },
  handlers: FilesService,
  jobs: [runBy(embedFile, FileEmbeddingStep), runBy(checkFile, FileEraser)],
  imports: [
    FlowsModule,
    BudgetsModule,
    providersFeature,
    conversationsFeature,
    draftsFeature,
    documentsFeature,
    embeddingsFeature,
  ],
  providers: [
    FileMeaning,
    FileVectors,
    FileHolders,
    FilePassages,
    FileReader,
    FileSearch,
    FilesRepository,
    FileUses,
    ImportedFiles,
    ImageIntake,
    ImageReader,
    SeenImages,
    StoredFiles,
  ],
  exports: [FileSearch, FileUses, ImportedFiles, ImageIntake, SeenImages, StoredFiles],
});
