import type { StockSource } from '@parley/platform/stocks';
import { webhookRows } from './webhook.collection.ts';

/** Webhooks, on or off. */
export const webhookStock: StockSource = {
  stock: 'webhooks',
  rows: webhookRows,
  count: (mongo, scope) => mongo.rows(webhookRows).within(scope).count({}),
};
