/** Runs a step for each item, only so many at the same time. Returns in their order how each has ended. */
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
