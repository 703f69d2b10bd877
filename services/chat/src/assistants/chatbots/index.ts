import {
  changeChatbotDraft,
  createChatbot,
  deleteChatbot,
  getChatbotDraft,
  listChatbotDrafts,
  listChatbotNames,
  listChatbots,
  listChatbotVersions,
  publishChatbot,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { ChatbotsRepository } from './chatbots.repository.ts';
import { ChatbotsService } from './chatbots.service.ts';

export { chatbotQuota } from './chatbot-quota.ts';
export { ChatbotsRepository } from './chatbots.repository.ts';
export { defaultChatbot, keptIdsOf } from './default-chatbot.ts';
export { ChatbotsService, type ChosenChatbot, type UsableChatbot } from './chatbots.service.ts';
export type { ChatbotRow } from './chatbot.collection.ts';

/** An organisation's chatbots, their drafts and versions. */
export const chatbotsFeature = feature({
  routes: {
    list: listChatbots,
    listNames: listChatbotNames,
    listDrafts: listChatbotDrafts,
    getDraft: getChatbotDraft,
    create: createChatbot,
    change: changeChatbotDraft,
    publish: publishChatbot,
    delete: deleteChatbot,
    listVersions: listChatbotVersions,
  },
  handlers: ChatbotsService,
  providers: [ChatbotsRepository],
  exports: [ChatbotsService, ChatbotsRepository],
});
