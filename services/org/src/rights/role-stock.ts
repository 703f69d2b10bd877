import type { StockSource } from '@parley/platform/stocks';
import { roleRows } from './role.collection.ts';

/** Roles of an organisation's own. */
export const roleStock: StockSource = {
  stock: 'roles',
  rows: roleRows,
  count: (mongo, scope) => mongo.rows(roleRows).within(scope).count({}),
};
