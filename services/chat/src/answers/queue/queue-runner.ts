import { Injectable } from '@nestjs/common';
import { goOn, type GoesOn, type JobInput, type JobRun, type JobRunner } from '@parley/platform/jobs';
import { jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import {
  ConversationsRepository,
  isReadyToAsk,
  QueueMarks,
  recordQueue,
  type askNext,
} from '../../conversations/index.ts';
import { QueueStarter } from './queue-starter.ts';

/** The time in ms before a question that couldn't start now is started again. */
const againMs = 1_000;
const everywhere = jobScope('starts what waits in chats');
type Input = JobInput<typeof askNext>;

/** Starts the next waiting question of a chat without a running answer. */
@Injectable()
export class QueueRunner implements JobRunner<Input> {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly marks: QueueMarks,
    private readonly starter: QueueStarter,
    private readonly work: Work,
  ) {}

  async run({ orgId, conversationId }: Input, run: JobRun): Promise<GoesOn | void> {
    const conversation = await this.conversations.find(everywhere.in(orgId), conversationId);
    if (!conversation || !isReadyToAsk(conversation)) return;
    const start = await this.starter.startNext(conversation);
    if (start === 'later' || start === 'gone') return goOn(run.later(againMs));
  }

  /** Puts the queue on hold when the job has used its last attempt, until the chat's owner continues the queue. */
  async giveUp({ orgId, conversationId: id }: Input): Promise<void> {
    const scope = everywhere.in(orgId);
    await this.work.run(job('starts what waits in chats'), async (tx) => {
      const conversation = await this.conversations.find(scope, id, tx);
      if (!conversation || !isReadyToAsk(conversation)) return;
      await this.marks.hold(scope, { id, isQueueHeld: true }, tx);
      recordQueue(tx, conversation);
    });
  }
}
