import type { ChatbotId } from '@parley/contracts';
import type { CountedQuota } from '@parley/platform/quotas';
import { testRows } from './test.collection.ts';

/**
 * Counts the tests of one chatbot. Transactions that count tests in the same organisation change one common row, so
 * they run one by one.
 */
export const testQuota = (chatbotId: ChatbotId): CountedQuota => ({
  quota: 'chatbotTests',
  count: (mongo, scope, tx) => mongo.rows(testRows).within(scope, tx).count({ chatbotId }),
});
