import { Module } from '@nestjs/common';
import { RunningAnswers } from './running-answers.ts';
import { RunningAnswersConsumer } from './running-answers.consumer.ts';

@Module({ controllers: [RunningAnswersConsumer], providers: [RunningAnswers], exports: [RunningAnswers] })
export class RunningAnswersModule {}

export type { RunningAnswerRow } from './running-answer.collection.ts';
export { RunningAnswers } from './running-answers.ts';
