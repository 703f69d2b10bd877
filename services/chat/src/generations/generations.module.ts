import { Module } from '@nestjs/common';
import { ConversationsModule } from '../conversations/index.ts';
import { documentsFeature } from '../documents/index.ts';
import { MessagesModule } from '../messages/index.ts';
import { modelsFeature } from '../models/index.ts';
import { retrievalFeature } from '../retrieval/index.ts';
import { AnswerAgain } from './answer-again.ts';
import { FinishAnswer } from './finish-answer.ts';
import { GenerationQueue } from './generation-queue.ts';
import { GenerationsController } from './generations.controller.ts';
import { PrepareAnswer } from './prepare-answer.ts';
import { SendMessage } from './send-message.ts';
import { StopGeneration } from './stop-generation.ts';
import { Workers } from './workers.ts';

@Module({
  imports: [ConversationsModule, MessagesModule, modelsFeature, retrievalFeature, documentsFeature],
  controllers: [GenerationsController],
  providers: [SendMessage, AnswerAgain, StopGeneration, GenerationQueue, PrepareAnswer, FinishAnswer, Workers],
})
export class GenerationsModule {}
