import type { ChatbotId } from '@parley/contracts';
import type { CountedQuota } from '@parley/platform/quotas';
import { testRows } from './test.collection.ts';

/** Counts the tests of one chatbot. All chatbots of an organisation lock the same guard while they count. */
export const testQuota = (chatbotId: ChatbotId): CountedQuota => ({
  quota: 'chatbotTests',
  count: (mongo, scope, tx) => mongo.rows(testRows).within(scope, tx).count({ chatbotId }),
});
