import type { CountedQuota } from '@parley/platform/quotas';
import { curatedAnswerRows } from './curated-answer.collection.ts';

/** Curated answers, active or not. */
export const curatedAnswerQuota: CountedQuota = {
  quota: 'curatedAnswers',
  count: (mongo, scope) => mongo.rows(curatedAnswerRows).within(scope).count({}),
};
