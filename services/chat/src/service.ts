import { chatLimitChanged, failInChat, listChatLimits, setChatLimit } from '@parley/contracts';
import { joinInboxRows, replayDeadLetters } from '@parley/platform/event-bus';
import { FlowsModule } from '@parley/platform/fair-turns';
import {
  errorTests,
  organisationLimits,
  startOwner,
  type OwnerParts,
  type Platform,
  type RunningService,
} from '@parley/platform/service';
import { fillQuotaCounters } from '@parley/platform/quotas';
import { BudgetsModule, hardLimitKeys } from './assistants/budgets/index.ts';
import { ChatSettings } from './chat.config.ts';
import { Reloads } from './reloads.ts';
import { chatRenames } from './chat-renames.ts';
import { testRunsFeature, testRunsToJobs, testsFeature } from './answers/chatbot-tests/index.ts';
import { chatbotsFeature, chatbotQuota } from './assistants/chatbots/index.ts';
import { completionsFeature } from './answers/completions/index.ts';
import { curatedAnswersFeature, curatedAnswerQuota } from './knowledge/curated-answers/index.ts';
import { connectionQuota, connectionsToJobs } from './knowledge/connections/index.ts';
import {
  conversationsFeature,
  draftsFeature,
  conversationMarksFeature,
  conversationMovesFeature,
  projectsFeature,
  queuedQuestionsToJobs,
  deletedChatsToJobs,
  deletedMessagesToJobs,
  messageKeys,
  messageParents,
  messageTree,
  readMarks,
} from './conversations/index.ts';
import {
  deletedDocumentsFeature,
  deletedDocumentsToJobs,
  openedDocumentsFeature,
  documentsFeature,
  documentTextBytes,
  unreadDocumentsToJobs,
} from './knowledge/documents/index.ts';
import { checksToJobs, embeddingsToJobs, filesFeature, unreadFilesToJobs } from './knowledge/files/index.ts';
import { embeddingRowsToJobs, embeddingsFeature } from './knowledge/embeddings/index.ts';
import { projectKnowledgeFeature } from './knowledge/project-knowledge/index.ts';
import { erasureFeature } from './answers/erasure/index.ts';
import { feedbackFeature, ownFeedbackFeature } from './feedback/index.ts';
import { generationsFeature, runningGenerationsFeature, tellGenerations } from './answers/generations/index.ts';
import { branchingFeature } from './answers/branching/index.ts';
import { messageDeletionFeature } from './answers/message-deletion/index.ts';
import { messageSearchFeature, messagesFeature, messagesToFill, pathsFeature } from './answers/message-search/index.ts';
import { queueFeature } from './answers/queue/index.ts';
import { offeredModelsFeature } from './answers/offered-models/index.ts';
import { allowedAddressesFeature, embeddingProvidersToJobs, providersFeature } from './assistants/models/index.ts';
import { titlesFeature } from './answers/titles/index.ts';
import { trialsFeature } from './answers/trials/index.ts';
import { exportsFeature, exportsToJobs, oneChatFeature, storageWithExports } from './workspace/exports/index.ts';
import { passageSearchKeys, passageStems, retrievalFeature } from './knowledge/retrieval/index.ts';
import { connectionsFeature, searchTestsFeature } from './knowledge/connection-management/index.ts';
import { connectionPreviewsFeature } from './knowledge/syncing/index.ts';
import { importsFeature, importsToJobs, withUploads } from './workspace/imports/index.ts';

export { chatConfig, chatSettings, type ChatSettings } from './chat.config.ts';

/** Budgets of the same id in two organisations kept hard limits from being known. */
const parkedLimits = replayDeadLetters('parked-hard-limits', ['keep-hard-limits']);

/** Queues the jobs of rows that earlier versions left waiting. */
const waitingToJobs = [
  ...exportsToJobs,
  importsToJobs,
  embeddingsToJobs,
  embeddingProvidersToJobs,
  embeddingRowsToJobs,
  checksToJobs,
  deletedChatsToJobs,
  deletedMessagesToJobs,
  deletedDocumentsToJobs,
  unreadDocumentsToJobs,
  unreadFilesToJobs,
  ...connectionsToJobs,
  testRunsToJobs,
  queuedQuestionsToJobs,
];

const counter = withUploads(storageWithExports);
const countedQuotas = [connectionQuota, chatbotQuota, curatedAnswerQuota];

const dataMigrations = [
  chatRenames,
  messageParents,
  messageTree,
  readMarks,
  messageKeys,
  passageSearchKeys,
  passageStems,
  hardLimitKeys,
  parkedLimits,
  documentTextBytes,
  fillQuotaCounters(counter),
  ...waitingToJobs,
  joinInboxRows,
  messagesToFill,
];

/** The default of storage is a setting. */
const limitsFeature = ({ storagePerOrganisation: storage }: ChatSettings) =>
  organisationLimits({
    list: listChatLimits,
    set: setChatLimit,
    changed: chatLimitChanged,
    defaults: { storage },
    counted: countedQuotas,
  });

/** Conversations, answers, models, documents. */
export const chatParts = (settings: ChatSettings): OwnerParts => ({
  modules: [
    BudgetsModule,
    conversationsFeature,
    draftsFeature,
    conversationMarksFeature,
    conversationMovesFeature,
    projectsFeature,
    messageDeletionFeature,
    branchingFeature,
    queueFeature,
    messagesFeature,
    messageSearchFeature,
    pathsFeature,
    generationsFeature,
    erasureFeature,
    runningGenerationsFeature,
    offeredModelsFeature,
    chatbotsFeature,
    trialsFeature,
    titlesFeature,
    completionsFeature,
    testsFeature,
    testRunsFeature,
    allowedAddressesFeature,
    providersFeature,
    documentsFeature,
    deletedDocumentsFeature,
    openedDocumentsFeature,
    filesFeature,
    projectKnowledgeFeature,
    retrievalFeature,
    embeddingsFeature,
    connectionsFeature,
    connectionPreviewsFeature,
    searchTestsFeature,
    curatedAnswersFeature,
    ownFeedbackFeature,
    feedbackFeature,
    oneChatFeature,
    exportsFeature,
    importsFeature,
    FlowsModule,
    errorTests(failInChat),
    limitsFeature(settings),
  ],
  providers: () => [{ provide: ChatSettings, useValue: settings }, Reloads],
  group: 'chat',
  upkeep: settings.workers > 0,
  dataMigrations,
  counter,
  countedQuotas,
  snapshots: ({ mongo }, record) => tellGenerations(mongo, record),
});

export { MessageTrees } from './conversations/index.ts';

/** Starts chat: API and worker roles run in it as the settings say. */
export async function startChat(platform: Platform, settings: ChatSettings): Promise<RunningService> {
  return startOwner(platform, chatParts(settings));
}
