import type { CounterName } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { jobScope, type Collection, type Mongo, type OrganisationScope, type PlatformScope } from '../mongo/index.ts';
import type { DataMigration } from '../schema/index.ts';
import { quotaCounterRows } from './quota-counter.collection.ts';
import { Quotas } from './quotas.ts';

/** Says where what a counter counts is, and how to count it again. */
export type QuotaSource = {
  readonly quota: CounterName;
  /**
   * A collection with rows in each organisation that has such things; it needs an index that begins with the
   * organisation.
   */
  readonly rows: Collection;
  /** Counts an organisation's things. */
  readonly count: (mongo: Mongo, scope: OrganisationScope) => Promise<number>;
};
/** A counter that was recounted. `after` is null if the counter kept changing. */
export type Recount = {
  readonly quota: CounterName;
  readonly orgId: OrgId;
  readonly before: number;
  readonly after: number | null;
};

const organisationsPerBatch = 20;
const job = jobScope('counters of quotas are counted again');

/** Counts the things of a quota again and corrects the counters; yields each one. Safe while services run. */
export async function* recountQuota(mongo: Mongo, source: QuotaSource): AsyncGenerator<Recount> {
  for (let orgId = await nextOwner(mongo, source, ''); orgId; orgId = await nextOwner(mongo, source, orgId))
    yield await recountOf(mongo, source, orgId);
}

/**
 * Counts existing things into new counters. A batch can run twice, because it sets the counter to the counted number. A
 * process of this version that changes a thing meanwhile also changes the counter, and the things are then counted
 * again. Processes of an earlier version change no counter: `parley doctor` corrects what they create or delete
 * meanwhile.
 */
export const fillQuotaCounters = (source: QuotaSource): DataMigration => ({
  name: 'stock-counters',
  title: 'counting what limits apply to',
  async batch(mongo, cursor) {
    const [quota, after] = cursor === null ? [] : (JSON.parse(cursor) as [unknown, OrgId | '']);
    // Earlier versions counted other quotas, too, and can have stopped at one of them: then all is counted again.
    let orgId = (quota === source.quota && after) || '';
    for (let done = 0; done < organisationsPerBatch; done += 1) {
      const next: OrgId | null = await nextOwner(mongo, source, orgId);
      if (!next) return null;
      if ((await recountOf(mongo, source, next)).after === null)
        throw new Error(`The ${source.quota} of ${next} changed at each count.`);
      orgId = next;
    }
    return JSON.stringify([source.quota, orgId]);
  },
});

async function recountOf(mongo: Mongo, { quota, count }: QuotaSource, orgId: OrgId): Promise<Recount> {
  const scope = job.in(orgId);
  const quotas = new Quotas(mongo);
  const recounted = await quotas.recount(scope, { quota }, () => count(mongo, scope));
  return { quota, orgId, ...(recounted ?? { before: (await quotas.read(scope, { quota })).used, after: null }) };
}

/** Returns the next organisation that has such things or a counter of them; null after the last. */
async function nextOwner(mongo: Mongo, { quota, rows }: QuotaSource, after: string): Promise<OrgId | null> {
  const { tenant } = rows;
  const field = tenant === 'platform' ? undefined : tenant.organisation;
  if (field === undefined) throw new Error(`${rows.name} does not tell whose its rows are.`);
  const behind = { $gt: after };
  const [having] = await anyRows(mongo, rows).find(
    { [field]: behind },
    { sort: { [field]: 1 }, limit: 1, fields: [field] },
  );
  const [counted] = await mongo
    .rows(quotaCounterRows)
    .within(job)
    .find({ quota, orgId: behind as { $gt: OrgId } }, { sort: { orgId: 1 }, limit: 1, fields: ['orgId'] });
  const owners = [having?.[field] as OrgId | undefined, counted?.orgId].filter((orgId) => orgId !== undefined);
  return owners.toSorted()[0] ?? null;
}

type AnyRows = {
  find(
    filter: Record<string, unknown>,
    options: { sort: Record<string, 1>; limit: number; fields: readonly string[] },
  ): Promise<Record<string, unknown>[]>;
};
const anyRows = (mongo: Mongo, rows: Collection): AnyRows =>
  mongo.rows(rows).within(job as PlatformScope as never) as unknown as AnyRows;
