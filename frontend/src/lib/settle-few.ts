/** Runs a step for each item, a limited number at the same time. Returns their outcomes in the order of the items. */
export async function settleFew<Item, Result>(
  items: readonly Item[],
  most: number,
  step: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const waiting = items.entries();
  const work = async () => {
    for (const [at, item] of waiting) [results[at]] = await Promise.allSettled([step(item)]);
  };
  await Promise.all(Array.from({ length: most }, work));
  return results;
}
