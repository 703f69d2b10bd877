import { describe, expect, test } from '@jest/globals';
import { stockLimits } from '@parley/contracts';
import type { Mongo, OrganisationScope } from '@parley/platform/mongo';
import { Stocks, type StockSource } from '@parley/platform/stocks';

/** Somebody who has none of it yet. */
export type StockOwner<Made> = {
  readonly scope: OrganisationScope;
  readonly make: () => Promise<Made>;
  readonly remove: (made: Made) => Promise<unknown>;
};

/** What each stock with a counter guarantees, on the service that owns it. */
export function describeStock<Made>(
  { mongo, source }: { readonly mongo: Mongo; readonly source: StockSource },
  begin: () => Promise<StockOwner<Made>>,
): void {
  const { stock } = source;
  const stocks = new Stocks(mongo);
  const full = { code: stockLimits[stock].problem };
  const used = async ({ scope }: StockOwner<Made>) => (await stocks.read(scope, { stock })).used;
  const recounted = ({ scope }: StockOwner<Made>) => stocks.recount(scope, { stock }, () => source.count(mongo, scope));

  describe(`the stock of ${stock}`, () => {
    test('takes the last one, refuses the next, has room after a deletion, and is what is there', async () => {
      const owner = await begin();
      await stocks.setCeiling(owner.scope, stock, 2);
      const first = await owner.make();
      await owner.make();
      await expect(owner.make()).rejects.toMatchObject(full);
      await owner.remove(first);
      await owner.make();
      expect(await recounted(owner)).toEqual({ before: 2, after: 2 });
    });

    test('has one last place: of two at once one is refused', async () => {
      const owner = await begin();
      await stocks.setCeiling(owner.scope, stock, 2);
      await owner.make();
      const both = await Promise.allSettled([owner.make(), owner.make()]);
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: full });
      expect([await used(owner), await recounted(owner)]).toEqual([2, { before: 2, after: 2 }]);
    });
  });
}
