import type { StockSource } from '@parley/platform/stocks';
import { chatbotRows } from './chatbot.collection.ts';

/** Chatbots besides the default one. */
export const chatbotStock: StockSource = {
  stock: 'chatbots',
  rows: chatbotRows,
  count: (mongo, scope) => mongo.rows(chatbotRows).within(scope).count({ isDefault: false }),
};
