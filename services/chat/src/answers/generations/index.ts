import {
  answerAgain,
  discardMessage,
  getAnswerSlots,
  getProgress,
  sendMessage,
  stopAnyGeneration,
  stopGeneration,
} from '@parley/contracts';
import { FlowsModule } from '@parley/platform/fair-turns';
import { feature } from '@parley/platform/service';
import { BudgetsModule } from '../../assistants/budgets/index.ts';
import { ConnectionsModule } from '../../knowledge/connections/index.ts';
import { conversationsFeature } from '../../conversations/index.ts';
import { curatedAnswersFeature } from '../../knowledge/curated-answers/index.ts';
import { documentsFeature } from '../../knowledge/documents/index.ts';
import { filesFeature } from '../../knowledge/files/index.ts';
import { embeddingsFeature } from '../../knowledge/embeddings/index.ts';
import { ModelsModule } from '../../assistants/models/index.ts';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { ApartPurge } from './asking/apart-purge.ts';
import { ApartQuestions } from './asking/apart-questions.ts';
import { AskApart } from './asking/ask-apart.ts';
import { AskInChat } from './asking/ask-in-chat.ts';
import { StoreAnswer } from './asking/store-answer.ts';
import { AnswerAgain } from './asking/answer-again.ts';
import { AnswerPassages } from './asking/answer-passages.ts';
import { AnswerSources } from './asking/answer-sources.ts';
import { Answerers } from './asking/answerers.ts';
import { DiscardMessage } from './asking/discard-message.ts';
import { FinishAnswer } from './writing/finish-answer.ts';
import { AnswerLimits } from './asking/answer-limits.ts';
import { GenerationQueue } from './asking/generation-queue.ts';
import { GenerationsRepository } from './rows/generations.repository.ts';
import { titlesFeature } from '../titles/index.ts';
import { GenerationsService } from './generations.service.ts';
import { PrepareAnswer } from './asking/prepare-answer.ts';
import { RecentMessages } from './asking/recent-messages.ts';
import { RunningGenerationsService } from './running-generations.service.ts';
import { SendMessage } from './asking/send-message.ts';
import { StopGeneration } from './asking/stop-generation.ts';
import { Workers } from './workers/workers.ts';

export { ApartPurge } from './asking/apart-purge.ts';
export { ApartQuestions, type ApartKeeper, type CompletionWishes } from './asking/apart-questions.ts';
export { tellGenerations } from './rows/generations.snapshots.ts';
export { isRefusal } from './rows/generation.ts';
export { toElsewhere, toMessage } from './rows/message-view.ts';
export type { Generation } from './rows/generation.collection.ts';
export { asOriginOf } from './workers/as-origin-of.ts';
export { mayStillAsk, rightsToAsk } from './workers/may-still-ask.ts';
export { stopsWanted } from './asking/generation-queue.ts';
export { askerOf } from './asking/new-answer.ts';
export type { Answerer } from './asking/answerers.ts';
export type { Asker } from './rows/ask.ts';
export { AnswerAgain, Answerers, AskApart, GenerationsRepository, SendMessage };
export type { Replacing } from './asking/answer-again.ts';

/** Answers: their state, which is the queue, and the workers that write them. */
export const generationsFeature = feature({
  routes: { send: sendMessage, answerAgain, discard: discardMessage, stop: stopGeneration },
  handlers: GenerationsService,
  imports: [
    FlowsModule,
    BudgetsModule,
    ConnectionsModule,
    conversationsFeature,
    ModelsModule,
    chatbotsFeature,
    embeddingsFeature,
    documentsFeature,
    filesFeature,
    curatedAnswersFeature,
    titlesFeature,
  ],
  providers: [
    AnswerAgain,
    AnswerPassages,
    AnswerSources,
    Answerers,
    ApartPurge,
    ApartQuestions,
    AskApart,
    AskInChat,
    StoreAnswer,
    DiscardMessage,
    FinishAnswer,
    AnswerLimits,
    GenerationQueue,
    GenerationsRepository,
    PrepareAnswer,
    RecentMessages,
    SendMessage,
    StopGeneration,
    Workers,
  ],
  exports: [AnswerAgain, Answerers, ApartQuestions, AskApart, GenerationsRepository, SendMessage],
});

/** Lists all answers of the organisation that haven't ended. */
export const runningGenerationsFeature = feature({
  routes: { stopAny: stopAnyGeneration, progress: getProgress, slots: getAnswerSlots },
  handlers: RunningGenerationsService,
  imports: [generationsFeature],
});
