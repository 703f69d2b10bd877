import type { StockSource } from '@parley/platform/stocks';
import { groupRows } from './group.collection.ts';

/** Groups of an organisation. */
export const groupStock: StockSource = {
  stock: 'groups',
  rows: groupRows,
  count: (mongo, scope) => mongo.rows(groupRows).within(scope).count({}),
};
