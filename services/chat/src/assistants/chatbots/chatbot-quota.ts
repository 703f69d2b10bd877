import type { CountedQuota } from '@parley/platform/quotas';
import { chatbotRows } from './chatbot.collection.ts';

/** Chatbots besides the default one, which every organisation has. */
export const chatbotQuota: CountedQuota = {
  quota: 'chatbots',
  count: (mongo, scope, tx) => mongo.rows(chatbotRows).within(scope, tx).count({ isDefault: false }),
};
