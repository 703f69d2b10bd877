import {
  answerAgain,
  discardMessage,
  getProgress,
  sendMessage,
  stopAnyGeneration,
  stopGeneration,
} from '@parley/contracts';
import { SharesModule } from '@parley/platform/fair-turns';
import { feature } from '@parley/platform/service';
import { BudgetsModule } from '../budgets/index.ts';
import { ConnectionsModule } from '../connections/index.ts';
import { conversationsFeature } from '../conversations/index.ts';
import { curatedAnswersFeature } from '../curated-answers/index.ts';
import { documentsFeature } from '../documents/index.ts';
import { embeddingsFeature } from '../embeddings/index.ts';
import { modelsFeature } from '../models/index.ts';
import { chatbotsFeature } from '../chatbots/index.ts';
import { ApartPurge } from './apart-purge.ts';
import { ApartQuestions } from './apart-questions.ts';
import { AskApart } from './ask-apart.ts';
import { AskTrial } from './ask-trial.ts';
import { AnswerAgain } from './answer-again.ts';
import { AnswerPassages } from './answer-passages.ts';
import { Answerers } from './answerers.ts';
import { CompletionsRepository } from './completions.repository.ts';
import { DiscardMessage } from './discard-message.ts';
import { FinishAnswer } from './finish-answer.ts';
import { AnswerLimits } from './answer-limits.ts';
import { GenerationQueue } from './generation-queue.ts';
import { GenerationsRepository } from './generations.repository.ts';
import { GenerationsService } from './generations.service.ts';
import { PrepareAnswer } from './prepare-answer.ts';
import { RecentTurns } from './recent-turns.ts';
import { RunningGenerationsService } from './running-generations.service.ts';
import { SendMessage } from './send-message.ts';
import { StopGeneration } from './stop-generation.ts';
import { Workers } from './workers.ts';

export { ApartPurge, keepCompletionsMs, keepTrialsMs } from './apart-purge.ts';
export { tellGenerations } from './generations.snapshots.ts';
export { toMessage } from './message-view.ts';
export type { Generation } from './generation.collection.ts';
export { mayStillAsk } from './may-still-ask.ts';
export { stopsWanted } from './generation-queue.ts';
export { askerOf } from './new-answer.ts';
export { Answerers, AskApart, AskTrial, CompletionsRepository, GenerationsRepository };

/** Answers: their state, which is the queue, and the workers that write them. */
export const generationsFeature = feature({
  routes: { send: sendMessage, answerAgain, discard: discardMessage, stop: stopGeneration },
  handlers: GenerationsService,
  imports: [
    SharesModule,
    BudgetsModule,
    ConnectionsModule,
    conversationsFeature,
    modelsFeature,
    chatbotsFeature,
    embeddingsFeature,
    documentsFeature,
    curatedAnswersFeature,
  ],
  providers: [
    AnswerAgain,
    AnswerPassages,
    Answerers,
    ApartPurge,
    ApartQuestions,
    AskApart,
    AskTrial,
    CompletionsRepository,
    DiscardMessage,
    FinishAnswer,
    AnswerLimits,
    GenerationQueue,
    GenerationsRepository,
    PrepareAnswer,
    RecentTurns,
    SendMessage,
    StopGeneration,
    Workers,
  ],
  exports: [Answerers, AskApart, AskTrial, CompletionsRepository, GenerationsRepository],
});

/** Answers that are not over, whoever's they are. */
export const runningGenerationsFeature = feature({
  routes: { stopAny: stopAnyGeneration, progress: getProgress },
  handlers: RunningGenerationsService,
  imports: [generationsFeature],
});
