import { askTrial, getTrial, listTrials, stopTrial } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { conversationsFeature } from '../../conversations/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { AskTrial } from './ask-trial.ts';
import { TrialsRepository } from './trials.repository.ts';
import { TrialsService } from './trials.service.ts';

export { AskTrial };

/** Lets people try a chatbot with questions before it is published. */
export const trialsFeature = feature({
  routes: { ask: askTrial, list: listTrials, read: getTrial, stop: stopTrial },
  handlers: TrialsService,
  imports: [chatbotsFeature, conversationsFeature, generationsFeature],
  providers: [AskTrial, TrialsRepository],
  exports: [AskTrial],
});
