import { createExport, deleteExport, downloadExport, exportConversation, listExports } from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { messagesFeature } from '../../answers/message-search/index.ts';
import { conversationsFeature } from '../../conversations/index.ts';
import { ConnectionsModule } from '../../knowledge/connections/index.ts';
import { documentsFeature } from '../../knowledge/documents/index.ts';
import { filesFeature } from '../../knowledge/files/index.ts';
import { ArchiveContent } from './archive-content.ts';
import { ArchiveProjects } from './archive-projects.ts';
import { ChatReader } from './chat-reader.ts';
import { ExportAttempt } from './export-attempt.ts';
import { ExportEraser } from './export-eraser.ts';
import { eraseExport, writeExport } from './export-jobs.ts';
import { ExportsRepository } from './exports.repository.ts';
import { ExportsService } from './exports.service.ts';
import { OneChatService } from './one-chat.service.ts';

export { exportsToJobs } from './export-jobs.ts';
export { storageWithExports } from './storage-source.ts';

/** One chat as a file. */
export const oneChatFeature = feature({
  routes: { download: exportConversation },
  handlers: OneChatService,
  providers: [ChatReader],
  exports: [ChatReader],
  imports: [conversationsFeature, messagesFeature],
});

/** All that a person has, as one ZIP. */
export const exportsFeature = feature({
  routes: { create: createExport, list: listExports, download: downloadExport, delete: deleteExport },
  handlers: ExportsService,
  jobs: [runBy(writeExport, ExportAttempt), runBy(eraseExport, ExportEraser)],
  providers: [ArchiveContent, ArchiveProjects, ExportsRepository],
  imports: [chatbotsFeature, ConnectionsModule, conversationsFeature, documentsFeature, filesFeature, oneChatFeature],
});
