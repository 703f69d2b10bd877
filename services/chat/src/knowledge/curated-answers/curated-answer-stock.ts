import type { StockSource } from '@parley/platform/stocks';
import { curatedAnswerRows } from './curated-answer.collection.ts';

/** Curated answers, active or not. */
export const curatedAnswerStock: StockSource = {
  stock: 'curatedAnswers',
  rows: curatedAnswerRows,
  count: (mongo, scope) => mongo.rows(curatedAnswerRows).within(scope).count({}),
};
