import type { StockSource } from '@parley/platform/stocks';
import { apiKeyRows } from './api-key.collection.ts';

const working = () => ({ endsAt: { $gt: new Date() } });

/** API keys that work, by person in an organisation. */
export const apiKeyStock: StockSource = {
  stock: 'apiKeys',
  rows: apiKeyRows,
  people: async (mongo, scope) => {
    const groups = await mongo.rows(apiKeyRows).within(scope).countBy(working(), ['userId']);
    return groups.flatMap(({ of }) => of.userId ?? []);
  },
  count: (mongo, scope, userId) =>
    mongo
      .rows(apiKeyRows)
      .within(scope)
      .count({ ...(userId && { userId }), ...working() }),
};
