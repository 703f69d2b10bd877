import { failInChat } from '@parley/contracts';
import { replayDeadLetters } from '@parley/platform/event-bus';
import { SharesModule } from '@parley/platform/fair-turns';
import { errorTests, startOwner, type OwnerParts, type Platform, type RunningService } from '@parley/platform/service';
import { fillStockCounters } from '@parley/platform/stocks';
import { BudgetsModule, hardLimitKeys } from './budgets/index.ts';
import { ChatSettings } from './chat.config.ts';
import { testRunsFeature, testsFeature } from './chatbot-tests/index.ts';
import { chatbotsFeature, chatbotStock } from './chatbots/index.ts';
import { completionsFeature } from './completions/index.ts';
import { curatedAnswersFeature, curatedAnswerStock } from './curated-answers/index.ts';
import { connectionStock } from './connections/index.ts';
import { conversationsFeature, messageKeys, messageParents } from './conversations/index.ts';
import {
  deletedDocumentsFeature,
  openedDocumentsFeature,
  documentsFeature,
  documentTextBytes,
  storageStock,
} from './documents/index.ts';
import { embeddingsFeature } from './embeddings/index.ts';
import { erasureFeature } from './erasure/index.ts';
import { feedbackFeature, ownFeedbackFeature } from './feedback/index.ts';
import { generationsFeature, runningGenerationsFeature, tellGenerations } from './generations/index.ts';
import { messagesFeature } from './messages/index.ts';
import { allowedAddressesFeature, modelsFeature, providersFeature } from './models/index.ts';
import { trialsFeature } from './trials/index.ts';
import { passageSearchKeys, passageStems, retrievalFeature } from './retrieval/index.ts';
import { connectionPreviewsFeature, connectionsFeature, searchTestsFeature } from './syncing/index.ts';

export { chatConfig, chatSettings, type ChatSettings } from './chat.config.ts';

/** Budgets of the same id in two organisations kept hard limits from being known. */
const parkedLimits = replayDeadLetters('parked-hard-limits', ['keep-hard-limits']);

const stocks = [connectionStock, chatbotStock, curatedAnswerStock, storageStock];

/** Conversations, answers, models, documents. */
export const chatParts = (settings: ChatSettings): OwnerParts => ({
  modules: [
    BudgetsModule,
    conversationsFeature,
    messagesFeature,
    generationsFeature,
    erasureFeature,
    runningGenerationsFeature,
    modelsFeature,
    chatbotsFeature,
    trialsFeature,
    completionsFeature,
    testsFeature,
    testRunsFeature,
    allowedAddressesFeature,
    providersFeature,
    documentsFeature,
    deletedDocumentsFeature,
    openedDocumentsFeature,
    retrievalFeature,
    embeddingsFeature,
    connectionsFeature,
    connectionPreviewsFeature,
    searchTestsFeature,
    curatedAnswersFeature,
    ownFeedbackFeature,
    feedbackFeature,
    SharesModule,
    errorTests(failInChat),
  ],
  providers: () => [{ provide: ChatSettings, useValue: settings }],
  group: 'chat',
  dataMigrations: [
    messageParents,
    messageKeys,
    passageSearchKeys,
    passageStems,
    hardLimitKeys,
    parkedLimits,
    documentTextBytes,
    fillStockCounters(stocks),
  ],
  stocks,
  snapshots: ({ mongo }, record) => tellGenerations(mongo, record),
});

/** Starts chat: API and worker roles run in it as the settings say. */
export async function startChat(platform: Platform, settings: ChatSettings): Promise<RunningService> {
  return startOwner(platform, chatParts(settings));
}
