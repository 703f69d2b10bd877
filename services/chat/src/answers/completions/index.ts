import { createCompletion, getCompletionModel, getOpenApi, listCompletionModels } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { chatbotsFeature } from '../../assistants/chatbots/index.ts';
import { filesFeature } from '../../knowledge/files/index.ts';
import { conversationsFeature } from '../../conversations/index.ts';
import { generationsFeature } from '../generations/index.ts';
import { AnswerFollower } from './answer-follower.ts';
import { AskCompletion } from './ask-completion.ts';
import { CompletionsRepository } from './completions.repository.ts';
import { CompletionsService } from './completions.service.ts';

/** Serves chatbots to programs that use OpenAI's protocol. */
export const completionsFeature = feature({
  routes: {
    listModels: listCompletionModels,
    getModel: getCompletionModel,
    create: createCompletion,
    openApi: getOpenApi,
  },
  handlers: CompletionsService,
  imports: [chatbotsFeature, conversationsFeature, filesFeature, generationsFeature],
  providers: [AnswerFollower, AskCompletion, CompletionsRepository],
});
