import { describe, expect, test } from '@jest/globals';
import { quotaLimits } from '@parley/contracts';
import { orgId, userId, type UserId } from '@parley/protocol';
import { testStore } from '@parley/testing';
import { z } from 'zod';
import { newId } from '../../base/ids/index.ts';
import { job } from '../../events/work/index.ts';
import { collection, jobScope, type OrganisationScope } from '../mongo/index.ts';
import { quotaCounterRows, Quotas, type CountedQuota } from './index.ts';

const { mongo, work, ready } = await testStore();
const platform = jobScope('specs of quotas');
const thingRows = collection(
  'things',
  { _id: z.string(), orgId, userId: userId.nullable() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, userId: 1 }] },
);
const things = mongo.rows(thingRows);
const quotas = new Quotas(mongo);
await ready();

const webhooks: CountedQuota = {
  quota: 'webhooks',
  count: (store, scope, tx) => store.rows(thingRows).within(scope, tx).count({ userId: null }),
};
const keysOf = (person: UserId): CountedQuota => ({
  quota: 'apiKeys',
  userId: person,
  count: (store, scope, tx) => store.rows(thingRows).within(scope, tx).count({ userId: person }),
});
const most = quotaLimits.webhooks.ceiling;
const aScope = (): OrganisationScope => platform.in(newId('organisation'));
const make = (scope: OrganisationScope, person: UserId | null = null): Promise<string> =>
  work.run(job('makes a thing'), async (tx) => {
    const _id = newId('webhook');
    await things.within(scope, tx).insert({ _id, orgId: scope.orgId, userId: person });
    await quotas.admit(scope, tx, person === null ? webhooks : keysOf(person));
    return _id;
  });
const fill = async (scope: OrganisationScope, count: number): Promise<string[]> => {
  const made: string[] = [];
  while (made.length < count) made.push(await make(scope));
  return made;
};
const remove = (scope: OrganisationScope, _id: string) => things.within(scope).delete({ _id });
const shown = (scope: OrganisationScope) => quotas.show(scope, { quota: 'webhooks', counted: [webhooks] });
const made = async (all: readonly Promise<unknown>[]): Promise<number> =>
  (await Promise.allSettled(all)).filter(({ status }) => status === 'fulfilled').length;
const full = { code: 'org.limit-reached' };

describe('quotas whose rows are counted', () => {
  test('admits as many concurrent additions as there is room for, and no more', async () => {
    const scope = aScope();
    await fill(scope, most - 3);
    expect(await made(Array.from({ length: 20 }, () => make(scope)))).toBe(3);
    expect(await things.within(scope).count({})).toBe(most);
    expect(await shown(scope)).toEqual({ used: most, ceiling: most, isSet: false });
  });

  test('admits as many concurrent additions as there is room for if nothing was added yet', async () => {
    const scope = aScope();
    expect(await made(Array.from({ length: 20 }, () => make(scope)))).toBe(most);
  });

  test('says what to do when a quota is full, and not to retry', async () => {
    const scope = aScope();
    const [first] = await fill(scope, most);
    const refusal = await make(scope).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      ...full,
      message: `Your organisation has reached the limit of ${most} webhooks. ${quotaLimits.webhooks.whenFull}`,
    });
    expect(refusal).not.toMatchObject({ extras: { retryAfterSeconds: expect.anything() } });
    expect((await shown(scope)).used).toBe(most);
    await remove(scope, first!);
    await make(scope);
  });

  test('counts the quota of each organisation separately', async () => {
    const [scope, other] = [aScope(), aScope()];
    await quotas.setCeiling(scope, 'webhooks', 1);
    await make(scope);
    await expect(make(scope)).rejects.toMatchObject(full);
    await fill(other, 2);
    expect([(await shown(scope)).used, (await shown(other)).used]).toEqual([1, 2]);
  });

  test('applies the ceiling that a platform admin sets, up or down, immediately; deleting works above it', async () => {
    const scope = aScope();
    await quotas.setCeiling(scope, 'webhooks', 2);
    const [first] = await fill(scope, 2);
    await expect(make(scope)).rejects.toMatchObject(full);
    await quotas.setCeiling(scope, 'webhooks', 3);
    await make(scope);
    await quotas.setCeiling(scope, 'webhooks', 1);
    await remove(scope, first!);
    expect(await shown(scope)).toEqual({ used: 2, ceiling: 1, isSet: true });
    await expect(make(scope)).rejects.toMatchObject(full);
    await quotas.setCeiling(scope, 'webhooks', null);
    await make(scope);
    expect(await shown(scope)).toEqual({ used: 3, ceiling: most, isSet: false });
  });

  test('accepts a ceiling of zero', async () => {
    const scope = aScope();
    await quotas.setCeiling(scope, 'webhooks', 0);
    await expect(make(scope)).rejects.toMatchObject(full);
  });

  test('counts each person separately, under one ceiling', async () => {
    const scope = aScope();
    const [ada, ben] = [newId('user'), newId('user')];
    await quotas.setCeiling(scope, 'apiKeys', 2);
    expect(await made(Array.from({ length: 20 }, () => make(scope, ada)))).toBe(2);
    await expect(make(scope, ada)).rejects.toMatchObject({ code: 'auth.api-keys-full' });
    await make(scope, ben);
    const used = { used: null, ceiling: 2, isSet: true };
    expect(await quotas.show(scope, { quota: 'apiKeys', counted: [] })).toEqual(used);
  });
});

describe('rows of 0.3.0 with a counter', () => {
  const rows = mongo.rows(quotaCounterRows);
  const counterOf = (scope: OrganisationScope, used: number, ceiling: number | null) =>
    rows
      .within(scope)
      .insert({
        _id: `${scope.orgId}/webhooks`,
        orgId: scope.orgId,
        userId: null,
        quota: 'webhooks',
        used,
        ceiling,
        changes: used,
      });

  test('keeps the ceiling of a row of 0.3.0, and ignores its counter', async () => {
    const scope = aScope();
    await counterOf(scope, 40, 2);
    await make(scope);
    expect(await shown(scope)).toEqual({ used: 1, ceiling: 2, isSet: true });
    await make(scope);
    await expect(make(scope)).rejects.toMatchObject(full);
  });

  test('uses the default ceiling without another one, for twenty additions at once as for single ones', async () => {
    const scope = aScope();
    await counterOf(scope, 0, null);
    expect(await made(Array.from({ length: 20 }, () => make(scope)))).toBe(most);
    expect(await shown(scope)).toEqual({ used: most, ceiling: most, isSet: false });
  });
});
