/** Lets other work of the process run, and resolves after it. */
export type GiveWay = () => Promise<void>;

/** How long a piece of work keeps the process from everything else. */
const turnMs = 20;

/** Gives way to other work of the process when a turn is over. */
export class Turns {
  private since = performance.now();

  constructor(private readonly giveWay: GiveWay) {}

  async next(): Promise<void> {
    if (performance.now() - this.since < turnMs) return;
    await this.giveWay();
    this.since = performance.now();
  }
}

/** Maps a long list by turns: one chat can have some 100,000 messages. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item, at: number) => Mapped,
  giveWay: GiveWay,
): Promise<Mapped[]> {
  const turns = new Turns(giveWay);
  const mapped: Mapped[] = [];
  for (const [at, item] of items.entries()) {
    mapped.push(map(item, at));
    await turns.next();
  }
  return mapped;
}
