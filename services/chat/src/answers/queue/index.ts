import { addToQueue, editQueued, listQueue, resumeQueue, withdrawQueued } from '@parley/contracts';
import { feature, runBy } from '@parley/platform/service';
import { askNext, conversationsFeature, draftsFeature } from '../../conversations/index.ts';
import { filesFeature } from '../../knowledge/files/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { AskNow } from './ask-now.ts';
import { QueueParents } from './queue-parents.ts';
import { QueueRepository } from './queue.repository.ts';
import { QueueRunner } from './queue-runner.ts';
import { QueueService } from './queue.service.ts';
import { QueueStarter } from './queue-starter.ts';

/** Queues questions that are sent while an answer runs, and asks each on its turn. */
export const queueFeature = feature({
  routes: { list: listQueue, add: addToQueue, edit: editQueued, withdraw: withdrawQueued, resume: resumeQueue },
  handlers: QueueService,
  jobs: [runBy(askNext, QueueRunner)],
  imports: [conversationsFeature, draftsFeature, filesFeature, generationsFeature],
  providers: [AskNow, QueueParents, QueueRepository, QueueStarter],
});
