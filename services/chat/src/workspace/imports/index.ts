import {
  checkImport,
  createImport,
  deleteImport,
  deleteImportedChats,
  getImport,
  listImportLosses,
  listImports,
  pauseImport,
  restoreImportedChats,
  resumeImport,
  startImport,
  stopImport,
  uploadImportPart,
} from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { generationsFeature } from '../../answers/generations/index.ts';
import { conversationsFeature } from '../../conversations/index.ts';
import { documentsFeature } from '../../knowledge/documents/index.ts';
import { filesFeature } from '../../knowledge/files/index.ts';
import { ConnectionsModule } from '../../knowledge/connections/index.ts';
import { projectKnowledgeFeature } from '../../knowledge/project-knowledge/index.ts';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { Additions } from './additions.ts';
import { AllChats } from './all-chats.ts';
import { CheckExport } from './check-export.ts';
import { ExportReader } from './export-reader.ts';
import { GrownChats } from './grown-chats.ts';
import { ImportExport } from './import-export.ts';
import { ImportLosses } from './import-losses.ts';
import { ImportProjects } from './import-projects.ts';
import { importChats } from './import-job.ts';
import { changeImportedChats } from './imported-chats-job.ts';
import { ImportStep } from './import-step.ts';
import { ImportedChats } from './imported-chats.ts';
import { ImportsConsumer } from './imports.consumer.ts';
import { ImportsRepository } from './imports.repository.ts';
import { ImportsService } from './imports.service.ts';
import { KnownProjects } from './known-projects.ts';
import { MessageFiles } from './message-files.ts';
import { MessageIds } from './message-ids.ts';
import { NamedChatbots } from './named-chatbots.ts';
import { NewChats } from './new-chats.ts';
import { ImportProjectFiles } from './project-files.ts';
import { StoredChats } from './stored-chats.ts';
import { Uploads } from './uploads.ts';

export { importsToJobs } from './import-job.ts';
export { withUploads } from './import-storage.ts';

/**
 * Imports of chats from other products, and from Parley (ADR 0047): uploaded in parts, checked, then written chat after
 * chat by a job that goes on where it was.
 */
export const importsFeature = feature({
  routes: {
    create: createImport,
    uploadPart: uploadImportPart,
    list: listImports,
    read: getImport,
    listLosses: listImportLosses,
    check: checkImport,
    start: startImport,
    pause: pauseImport,
    resume: resumeImport,
    stop: stopImport,
    delete: deleteImport,
    deleteChats: deleteImportedChats,
    restoreChats: restoreImportedChats,
  },
  handlers: ImportsService,
  consumers: [ImportsConsumer],
  jobs: [runBy(importChats, ImportStep), runBy(changeImportedChats, AllChats)],
  imports: [
    chatbotsFeature,
    conversationsFeature,
    ConnectionsModule,
    documentsFeature,
    filesFeature,
    generationsFeature,
    projectKnowledgeFeature,
  ],
  providers: [
    Additions,
    AllChats,
    CheckExport,
    ExportReader,
    GrownChats,
    ImportExport,
    ImportLosses,
    ImportProjectFiles,
    ImportProjects,
    ImportedChats,
    ImportsRepository,
    KnownProjects,
    MessageFiles,
    MessageIds,
    NamedChatbots,
    NewChats,
    StoredChats,
    Uploads,
  ],
});
