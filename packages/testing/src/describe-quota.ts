import { describe, expect, test } from '@jest/globals';
import { quotaLimits } from '@parley/contracts';
import type { Mongo, OrganisationScope } from '@parley/platform/mongo';
import { Quotas, type QuotaSource } from '@parley/platform/quotas';

/** Somebody who has none of it yet. */
export type QuotaOwner<Made> = {
  readonly scope: OrganisationScope;
  readonly make: () => Promise<Made>;
  readonly remove: (made: Made) => Promise<unknown>;
};

/** Tests what each quota with a counter guarantees, on the service that owns it. */
export function describeQuota<Made>(
  { mongo, source }: { readonly mongo: Mongo; readonly source: QuotaSource },
  begin: () => Promise<QuotaOwner<Made>>,
): void {
  const { quota } = source;
  const quotas = new Quotas(mongo);
  const full = { code: quotaLimits[quota].problem };
  const used = async ({ scope }: QuotaOwner<Made>) => (await quotas.read(scope, { quota })).used;
  const recounted = ({ scope }: QuotaOwner<Made>) => quotas.recount(scope, { quota }, () => source.count(mongo, scope));

  describe(`the quota of ${quota}`, () => {
    test('takes the last one, refuses the next, has room after a deletion, and is what is there', async () => {
      const owner = await begin();
      await quotas.setCeiling(owner.scope, quota, 2);
      const first = await owner.make();
      await owner.make();
      await expect(owner.make()).rejects.toMatchObject(full);
      await owner.remove(first);
      await owner.make();
      expect(await recounted(owner)).toEqual({ before: 2, after: 2 });
    });

    test('has one last place: of two at once one is refused', async () => {
      const owner = await begin();
      await quotas.setCeiling(owner.scope, quota, 2);
      await owner.make();
      const both = await Promise.allSettled([owner.make(), owner.make()]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: full });
      expect([await used(owner), await recounted(owner)]).toEqual([2, { before: 2, after: 2 }]);
    });
  });
}
