/** Who has a turn: a share (see `Shares`), and the person within it. */
export type Turn = { readonly share: string; readonly person: string };
/** Somebody who waits, since the server first knew of it. */
export type Waiting = Turn & { readonly arrivedAt: Date };

/** Shares and persons whose last turn is remembered; whoever is forgotten counts as new. */
const mostRemembered = 10_000;

/**
 * Shares the slots of one worker. At most `all` turns run at once, and at most half of them (one at least) belong to one
 * share, used or not: so there is a slot for the next share however long the turns of another one take. Who waits has
 * turns by share, then by person, then by arrival. Pure and in memory: each process shares its own slots.
 */
export class FairTurns {
  private readonly runningOf = new Map<string, number>();
  private running = 0;
  private readonly mostOfOne: number;
  /** The later in the map, the later was the last turn. */
  private readonly lastTurns = new Map<string, number>();
  private turnCount = 0;

  /** `mostOfOne` is a smaller bound of one share than half. */
  constructor(
    private readonly all: number,
    mostOfOne = all,
  ) {
    this.mostOfOne = Math.min(mostOfOne, Math.max(1, Math.floor(all / 2)));
  }

  /** Slots that nobody has. */
  get free(): number {
    return this.all - this.running;
  }

  /** Whether the next turn of this share would wait. */
  isFullFor(share: string): boolean {
    return this.free <= 0 || this.hasItsHalf(share);
  }

  hasItsHalf(share: string): boolean {
    return this.countOf(share) >= this.mostOfOne;
  }

  /** Turns of the share that run. */
  countOf(share: string): number {
    return this.runningOf.get(share) ?? 0;
  }

  /** Takes a slot and returns the function that gives it back, once; null when none is free for this share. */
  begin(turn: Turn): (() => void) | null {
    if (this.isFullFor(turn.share)) return null;
    this.remember(turn.share);
    this.remember(personKey(turn));
    return this.take(turn.share);
  }

  /** Takes a slot whatever the share has, up to so many above all of them; null beyond that. */
  resume({ share }: Turn, mostAbove: number): (() => void) | null {
    return this.free > -mostAbove ? this.take(share) : null;
  }

  /**
   * Returns what waits in the order of its turns: one of each share in rotation, beginning with the share whose last
   * turn is longest ago; within a share the same by person, and of one person the oldest arrival first.
   */
  inOrder<Item>(items: readonly Item[], turnOf: (item: Item) => Waiting): Item[] {
    const waiting = items.map((item) => ({ item, turn: turnOf(item) }));
    waiting.sort((one, other) => one.turn.arrivedAt.getTime() - other.turn.arrivedAt.getTime());
    const shares = this.byLastTurn(waiting, ({ turn }) => turn.share);
    const rotated = shares.map((share) => rotate(this.byLastTurn(share, ({ turn }) => personKey(turn))));
    return rotate(rotated).map(({ item }) => item);
  }

  private take(share: string): () => void {
    this.runningOf.set(share, this.countOf(share) + 1);
    this.running += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const rest = this.countOf(share) - 1;
      if (rest > 0) this.runningOf.set(share, rest);
      else this.runningOf.delete(share);
      this.running -= 1;
    };
  }

  private remember(key: string): void {
    this.lastTurns.delete(key);
    this.lastTurns.set(key, (this.turnCount += 1));
    if (this.lastTurns.size <= mostRemembered) return;
    const [oldest] = this.lastTurns.keys();
    this.lastTurns.delete(oldest!);
  }

  /** In groups, the one whose last turn is longest ago first; those without one in the order of their oldest arrival. */
  private byLastTurn<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
    const groups = Map.groupBy(items, keyOf);
    return [...groups]
      .toSorted(([one], [other]) => (this.lastTurns.get(one) ?? 0) - (this.lastTurns.get(other) ?? 0))
      .map(([, group]) => group);
  }
}

const personKey = ({ share, person }: Turn): string => `${share} ${person}`;

/** The first of each list, then the second of each … */
function rotate<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_unused, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
