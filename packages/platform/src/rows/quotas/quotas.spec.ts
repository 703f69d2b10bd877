import { describe, expect, test } from '@jest/globals';
import { quotaLimits } from '@parley/contracts';
import { orgId, type OrgId } from '@parley/protocol';
import { newId } from '../../base/ids/index.ts';
import { collection, jobScope, type OrganisationScope } from '../mongo/index.ts';
import { fillQuotaCounters, recountQuota, Quotas, type QuotaSource } from './index.ts';
import { job } from '../../events/work/index.ts';
import { z } from 'zod';
import { testStore } from '@parley/testing';

const { mongo, work, ready } = await testStore();
const platform = jobScope('specs of quotas');
const thingRows = collection(
  'things',
  { _id: z.string(), orgId },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1 }] },
);
const things = mongo.rows(thingRows);
const quotas = new Quotas(mongo);
await ready();

const most = 10;
const aScope = (): OrganisationScope => platform.in(newId('organisation'));
const aBoundedScope = async (): Promise<OrganisationScope> => {
  const scope = aScope();
  await quotas.setCeiling(scope, 'storage', most);
  return scope;
};
const make = (scope: OrganisationScope, _id: string) =>
  work.run(job('makes a thing'), async (tx) => {
    await things.within(scope, tx).insert({ _id, orgId: scope.orgId });
    await quotas.add(scope, tx, { quota: 'storage', by: 1 });
  });
const remove = (scope: OrganisationScope, _id: string) =>
  work.run(job('removes a thing'), async (tx) => {
    await things.within(scope, tx).delete({ _id });
    await quotas.add(scope, tx, { quota: 'storage', by: -1 });
  });
const fill = async (scope: OrganisationScope, count: number): Promise<void> => {
  for (let at = 0; at < count; at += 1) await make(scope, `${scope.orgId}-${at}`);
};
const storageOf = (scope: OrganisationScope) => quotas.read(scope, { quota: 'storage' });
const full = { code: 'chat.storage-quota-reached' };

describe('Quotas', () => {
  test('accepts the last addition below the ceiling, refuses the next and says what to do, and has room after a deletion', async () => {
    const scope = await aBoundedScope();
    await fill(scope, most);
    await expect(make(scope, `${scope.orgId}-more`)).rejects.toMatchObject({
      ...full,
      message: expect.stringContaining(quotaLimits.storage.whenFull),
    });
    expect(await things.within(scope).count({})).toBe(most);
    await remove(scope, `${scope.orgId}-0`);
    await make(scope, `${scope.orgId}-more`);
    expect(await storageOf(scope)).toMatchObject({ used: most, ceiling: most });
  });

  test('refuses one of two concurrent additions if there is room for one', async () => {
    const scope = await aBoundedScope();
    await fill(scope, most - 1);
    const both = await Promise.allSettled([make(scope, `${scope.orgId}-a`), make(scope, `${scope.orgId}-b`)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: full });
    expect([await things.within(scope).count({}), (await storageOf(scope)).used]).toEqual([most, most]);
  });

  test('starts a counter once for several concurrent additions', async () => {
    const scope = aScope();
    await Promise.all(Array.from({ length: 5 }, (_none, at) => make(scope, `${scope.orgId}-${at}`)));
    expect((await storageOf(scope)).used).toBe(5);
  });

  test('keeps a counter from falling below zero', async () => {
    const scope = aScope();
    await remove(scope, 'never-counted');
    expect((await storageOf(scope)).used).toBe(0);
  });
});

describe('setCeiling', () => {
  test('applies a ceiling immediately when a platform admin raises or lowers it; deleting works above it', async () => {
    const scope = aScope();
    await quotas.setCeiling(scope, 'storage', 2);
    await fill(scope, 2);
    await expect(make(scope, `${scope.orgId}-2`)).rejects.toMatchObject(full);
    await quotas.setCeiling(scope, 'storage', 3);
    await make(scope, `${scope.orgId}-2`);
    await quotas.setCeiling(scope, 'storage', 1);
    await remove(scope, `${scope.orgId}-2`);
    expect(await storageOf(scope)).toMatchObject({ used: 2, ceiling: 1 });
    await quotas.setCeiling(scope, 'storage', null);
    expect(await storageOf(scope)).toMatchObject({ used: 2, ceiling: quotaLimits.storage.ceiling });
  });
});

describe('recounting', () => {
  const source: QuotaSource = {
    quota: 'storage',
    rows: thingRows,
    count: (store, scope) => store.rows(thingRows).within(scope).count({}),
  };
  const uncounted = async (scope: OrganisationScope, count: number): Promise<void> =>
    things
      .within(scope)
      .insertMany(Array.from({ length: count }, (_none, at) => ({ _id: `${scope.orgId}-u${at}`, orgId: scope.orgId })));

  test('fills the counters of existing data in batches, and changes nothing if it runs again', async () => {
    const scopes = Array.from({ length: 25 }, aScope);
    for (const [at, scope] of scopes.entries()) await uncounted(scope, at + 1);
    const { batch } = fillQuotaCounters(source);
    const run = async (): Promise<number> => {
      let batches = 1;
      for (let cursor = await batch(mongo, null); cursor !== null; cursor = await batch(mongo, cursor)) batches += 1;
      return batches;
    };
    expect(await run()).toBeGreaterThan(1);
    await run();
    for (const [at, scope] of scopes.entries()) expect((await storageOf(scope)).used).toBe(at + 1);
  });

  test('counts all organisations again if an earlier version was killed at another quota', async () => {
    const scope = aScope();
    await uncounted(scope, 3);
    const { batch } = fillQuotaCounters(source);
    const placeOfFormerList = JSON.stringify(['curatedAnswers', 'org_zzz']);
    for (let cursor = await batch(mongo, placeOfFormerList); cursor !== null; cursor = await batch(mongo, cursor));
    expect((await storageOf(scope)).used).toBe(3);
  });

  test('corrects a wrong counter, even if nothing is left to count, and names it', async () => {
    const [short, empty] = [aScope(), aScope()];
    await fill(short, 2);
    await uncounted(short, 1);
    await fill(empty, 1);
    await things.within(empty).delete({ _id: `${empty.orgId}-0` });
    const wrong = new Map<OrgId, readonly [number, number | null]>();
    for await (const { orgId: whose, before, after } of recountQuota(mongo, source))
      if (before !== after) wrong.set(whose, [before, after]);
    expect(wrong).toEqual(
      new Map([
        [short.orgId, [2, 3]],
        [empty.orgId, [1, 0]],
      ]),
    );
    expect([(await storageOf(short)).used, (await storageOf(empty)).used]).toEqual([3, 0]);
  });

  test('starts a recount over if the counter changes meanwhile', async () => {
    const scope = aScope();
    await fill(scope, 1);
    let counts = 0;
    const count = async (): Promise<number> => {
      const seen = await source.count(mongo, scope);
      counts += 1;
      if (counts === 1) await make(scope, `${scope.orgId}-beside`);
      return seen;
    };
    expect(await quotas.recount(scope, { quota: 'storage' }, count)).toEqual({ before: 2, after: 2 });
    expect(counts).toBe(2);
  });

  test('gives up a recount if the counter always changes, and leaves the counter alone', async () => {
    const scope = aScope();
    await fill(scope, 1);
    let counts = 0;
    const count = async (): Promise<number> => {
      await make(scope, `${scope.orgId}-always${counts++}`);
      return 0;
    };
    expect(await quotas.recount(scope, { quota: 'storage' }, count)).toBeNull();
    expect((await storageOf(scope)).used).toBe(6);
  });
});
