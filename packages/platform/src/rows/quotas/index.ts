export { quotaCounterRows } from './quota-counter.collection.ts';
export { fillQuotaCounters, recountQuota, type Recount, type QuotaSource } from './quota-sources.ts';
export { quotaFull, Quotas, type CountedQuota, type Quota, type QuotaKey } from './quotas.ts';
