import type { QuotaSource } from '@parley/platform/quotas';
import { curatedAnswerRows } from './curated-answer.collection.ts';

/** Curated answers, active or not. */
export const curatedAnswerQuota: QuotaSource = {
  quota: 'curatedAnswers',
  rows: curatedAnswerRows,
  count: (mongo, scope) => mongo.rows(curatedAnswerRows).within(scope).count({}),
};
