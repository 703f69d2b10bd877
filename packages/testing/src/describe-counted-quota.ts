import { describe, expect, test } from '@jest/globals';
import { problemCatalogue, quotaLimits, type CeilingName, type CountedName } from '@parley/contracts';
import type { Mongo, OrganisationScope } from '@parley/platform/mongo';
import { Quotas, type CountedQuota } from '@parley/platform/quotas';

/** Somebody who has none of it yet. */
type QuotaOwner<Made> = {
  readonly scope: OrganisationScope;
  readonly make: () => Promise<Made>;
  readonly remove: (made: Made) => Promise<unknown>;
};

/** Tests what each quota guarantees whose rows are counted, on the service that owns it. */
export function describeCountedQuota<Made>(
  {
    mongo,
    quota,
    counted = [],
  }: {
    readonly mongo: Mongo;
    readonly quota: CeilingName & CountedName;
    /** Left out where each person has their own. */
    readonly counted?: readonly CountedQuota[];
  },
  begin: () => Promise<QuotaOwner<Made>>,
): void {
  const quotas = new Quotas(mongo);
  const { problem, owner: whose } = quotaLimits[quota];
  const full = { code: problem, message: expect.stringContaining(quotaLimits[quota].whenFull) };
  const shown = async ({ scope }: QuotaOwner<Made>) => (await quotas.show(scope, { quota, counted })).used;

  describe(`the quota of ${quota}`, () => {
    test('lets three in of twenty at once where there is room for three; others have their own', async () => {
      const [owner, other] = [await begin(), await begin()];
      await quotas.setCeiling(owner.scope, quota, 5);
      for (let made = 0; made < 2; made += 1) await owner.make();
      const tried = await Promise.allSettled(Array.from({ length: 20 }, () => owner.make()));
      expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      for (const one of tried)
        if (one.status === 'rejected') {
          expect(one.reason).toMatchObject(full);
          expect(one.reason).not.toMatchObject({ extras: { retryAfterSeconds: expect.anything() } });
        }
      expect(problemCatalogue[problem].status).toBe(409);
      await other.make();
      expect([await shown(owner), await shown(other)]).toEqual(whose === 'person' ? [null, null] : [5, 1]);
    });

    test('has room at once when its ceiling is raised or one is deleted', async () => {
      const owner = await begin();
      await quotas.setCeiling(owner.scope, quota, 1);
      const first = await owner.make();
      await expect(owner.make()).rejects.toMatchObject(full);
      await quotas.setCeiling(owner.scope, quota, 2);
      await owner.make();
      await expect(owner.make()).rejects.toMatchObject(full);
      await owner.remove(first);
      await owner.make();
      await expect(owner.make()).rejects.toMatchObject(full);
    });
  });
}
