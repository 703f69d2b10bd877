import type { CountedQuota } from '@parley/platform/quotas';
import { webhookRows } from './webhook.collection.ts';

/** Webhooks, on or off. */
export const webhookQuota: CountedQuota = {
  quota: 'webhooks',
  count: (mongo, scope, tx) => mongo.rows(webhookRows).within(scope, tx).count({}),
};
