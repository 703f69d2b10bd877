import {
  createProject,
  deleteConversation,
  deleteProject,
  dropDraft,
  getConversation,
  getDraft,
  getProject,
  listConversations,
  listProjects,
  moveConversations,
  renameConversation,
  markManyConversations,
  markRead,
  restoreConversation,
  restoreProject,
  saveDraft,
  updateProject,
} from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { ConversationAccess } from './access.ts';
import { DraftsService } from './drafts.service.ts';
import { FileReferences } from './file-references.ts';
import { ConversationLists } from './conversation-lists.ts';
import { ConversationMarks } from './conversation-marks.ts';
import { ConversationsRepository } from './conversations.repository.ts';
import { ConversationsService } from './conversations.service.ts';
import { MessagePaths } from './message-paths.ts';
import { ImportedConversations } from './imported-conversations.ts';
import { MessagePlaces } from './message-places.ts';
import { MessageTrees } from './message-trees.ts';
import { OpenPaths } from './open-paths.ts';
import { ProjectNames } from './project-names.ts';
import { QueueMarks } from './queue-marks.ts';
import { ReadingPlaces } from './reading-places.ts';
import { MessagesRepository } from './messages.repository.ts';
import { ConversationMoves } from './conversation-moves.ts';
import { OwnProjects } from './own-projects.ts';
import { ProjectAccess } from './project-access.ts';
import { ProjectChats } from './project-chats.ts';
import { ProjectEraser } from './project-eraser.ts';
import { eraseProject, moveProjectChats } from './project-jobs.ts';
import { ProjectsService } from './projects.service.ts';
import { SearchedMessages } from './searched-messages.ts';

export { addressOf, ownedBy, ownSearchScope, searchScopeOf, visibleTo, type Owner, type Viewer } from './access.ts';
export type { StoredConversation } from './conversation.collection.ts';
export { fittingTitle, hasOnePath, titleFrom, toConversation } from './conversation.ts';
export { deletedChatsToJobs, deletedMessagesToJobs, eraseChat, eraseMessage, messageEraseAt } from './erasing-jobs.ts';
export { ConversationsService, record } from './conversations.service.ts';
export { messageKeys } from './message-keys.ts';
export { messageParents } from './message-parents.ts';
export { isDeleted, MessagePaths, standingOf, type Located, type PathRow } from './message-paths.ts';
export { endOfLine, isLine, MessagePlaces, type Parent } from './message-places.ts';
export { MessageTrees } from './message-trees.ts';
export {
  depthOf,
  firstStanding,
  isInLine,
  isOnPath,
  mostForks,
  mostVersions,
  next,
  runOf,
  type Standing,
} from './message-tree.ts';
export { readMarks } from './read-marks-migration.ts';
export { messageTree } from './message-tree-migration.ts';
export type { MessageRow, NewMessage } from './message.collection.ts';
export { copyOf, ownFieldsOf, rowFieldsOf, type OwnFields } from './own-fields.ts';
export { keysBesideWords, searchKeysOf } from './search-keys-of.ts';
export type { FoundPlace, MessageFilter, WantedMessages } from './searched-messages.ts';
export { standingsOf } from './standings.ts';
export { OpenPaths, type OpenPath, type WantedPath } from './open-paths.ts';
export { askNext, isReadyToAsk, queuedQuestionsToJobs } from './queue-jobs.ts';
export { QueueMarks, recordQueue } from './queue-marks.ts';
export type { Named } from './projects.service.ts';
export { FileReferences, type FilesOfMessage } from './file-references.ts';
export { ImportedConversations } from './imported-conversations.ts';
export { ReadingPlaces } from './reading-places.ts';
export {
  ConversationAccess,
  ConversationLists,
  ConversationMarks,
  ConversationsRepository,
  DraftsService,
  MessagesRepository,
  OwnProjects,
  ProjectAccess,
  ProjectNames,
  ProjectsService,
  SearchedMessages,
};

const ofMessages = [
  FileReferences,
  MessagePaths,
  MessagePlaces,
  MessagesRepository,
  OpenPaths,
  ProjectNames,
  ReadingPlaces,
  SearchedMessages,
];

/** Conversations, their access rules (only in `access.ts`), and the rows of their messages. */
export const conversationsFeature = feature({
  routes: {
    list: listConversations,
    read: getConversation,
    rename: renameConversation,
    delete: deleteConversation,
    restore: restoreConversation,
    markRead,
  },
  handlers: ConversationsService,
  providers: [
    ConversationAccess,
    ConversationLists,
    ConversationsRepository,
    ImportedConversations,
    MessageTrees,
    OwnProjects,
    ProjectAccess,
    QueueMarks,
    ...ofMessages,
  ],
  exports: [
    ConversationAccess,
    ConversationLists,
    ConversationsRepository,
    ConversationsService,
    ImportedConversations,
    MessageTrees,
    OwnProjects,
    ProjectAccess,
    QueueMarks,
    ...ofMessages,
  ],
});

/** Pinning and archiving. */
export const conversationMarksFeature = feature({
  routes: { markMany: markManyConversations },
  handlers: ConversationMarks,
  imports: [conversationsFeature],
});

/** Stores unsent text of people. */
export const draftsFeature = feature({
  routes: { read: getDraft, save: saveDraft, drop: dropDraft },
  handlers: DraftsService,
  imports: [conversationsFeature],
  exports: [DraftsService],
});

/** Projects of people, which chats can join and leave. */
export const projectsFeature = feature({
  routes: {
    list: listProjects,
    read: getProject,
    create: createProject,
    update: updateProject,
    delete: deleteProject,
    restore: restoreProject,
  },
  handlers: ProjectsService,
  imports: [conversationsFeature, draftsFeature],
  exports: [ProjectsService],
  jobs: [runBy(moveProjectChats, ProjectChats), runBy(eraseProject, ProjectEraser)],
});

/** Moves chats between projects. */
export const conversationMovesFeature = feature({
  routes: { moveMany: moveConversations },
  handlers: ConversationMoves,
  imports: [conversationsFeature],
});
