/** Names who waits: a flow (see `Flows`), and the person within it. */
export type FlowKey = { readonly flow: string; readonly person: string };
/** Somebody who waits, since the server first knew of it. */
export type Waiting = FlowKey & { readonly arrivedAt: Date };

/** Flows and persons whose last turn is remembered; others count as new. */
const mostRemembered = 10_000;

/**
 * Shares the slots of one worker. At most `all` turns run at once, and at most half of them (one at least) belong to one
 * flow, used or not: so there is a slot for the next flow however long the turns of another one take. Who waits has
 * turns by flow, then by person, then by arrival. Pure and in memory: each process shares its own slots.
 */
export class FairTurns {
  private readonly ofFlows = new TurnCounts();
  private readonly ofPersons = new TurnCounts();
  private running = 0;
  private readonly mostOfOne: number;
  /** The later in the map, the later was the last turn. */
  private readonly lastTurns = new Map<string, number>();
  private turnCount = 0;

  /** `mostOfOne` is a smaller bound of one flow than half; `mostOfPerson` bounds a person over all flows. */
  constructor(
    private readonly all: number,
    mostOfOne = all,
    private readonly mostOfPerson = Infinity,
  ) {
    this.mostOfOne = Math.min(mostOfOne, Math.max(1, Math.floor(all / 2)));
  }

  /** Slots that nobody has. */
  get free(): number {
    return this.all - this.running;
  }

  /** Returns whether the next turn of this flow would wait. */
  isFullFor(flow: string): boolean {
    return this.free <= 0 || this.hasItsHalf(flow);
  }

  hasItsHalf(flow: string): boolean {
    return this.countOf(flow) >= this.mostOfOne;
  }

  /** Turns of the flow that run. */
  countOf(flow: string): number {
    return this.ofFlows.of(flow);
  }

  /** Returns whether the person has as many turns as one person can have, over all flows. */
  isPersonFull(person: string): boolean {
    return this.ofPersons.of(person) >= this.mostOfPerson;
  }

  /** Persons whose next turn waits until one of theirs ends. */
  get fullPersons(): string[] {
    return this.ofPersons.keysFrom(this.mostOfPerson);
  }

  /**
   * Takes a slot and returns the function that gives it back, once; null when none is free for this flow or person.
   * `mostAbove` allows this many above all slots.
   */
  begin(key: FlowKey, mostAbove = 0): (() => void) | null {
    if (this.hasItsHalf(key.flow) || !this.hasRoom(key, mostAbove)) return null;
    this.remember(key.flow);
    this.remember(personKey(key));
    return this.take(key);
  }

  /** Takes a slot whatever the flow has, at most `mostAbove` above all of them; null beyond that or for a full person. */
  resume(key: FlowKey, mostAbove: number): (() => void) | null {
    return this.hasRoom(key, mostAbove) ? this.take(key) : null;
  }

  /**
   * Returns what waits in the order of its turns: one of each flow in rotation, beginning with the flow whose last
   * turn is longest ago; within a flow the same by person, and of one person the oldest arrival first.
   */
  inOrder<Item>(items: readonly Item[], waitingOf: (item: Item) => Waiting): Item[] {
    const waiting = items.map((item) => ({ item, key: waitingOf(item) }));
    waiting.sort((one, other) => one.key.arrivedAt.getTime() - other.key.arrivedAt.getTime());
    const flows = this.byLastTurn(waiting, ({ key }) => key.flow);
    const rotated = flows.map((flow) => rotate(this.byLastTurn(flow, ({ key }) => personKey(key))));
    return rotate(rotated).map(({ item }) => item);
  }

  private hasRoom({ person }: FlowKey, mostAbove: number): boolean {
    return this.free > -mostAbove && !this.isPersonFull(person);
  }

  private take({ flow, person }: FlowKey): () => void {
    const count = (by: 1 | -1): void => {
      this.ofFlows.add(flow, by);
      this.ofPersons.add(person, by);
      this.running += by;
    };
    count(1);
    let isTaken = true;
    return () => {
      if (isTaken) count(-1);
      isTaken = false;
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

/** Counts turns by key and forgets keys without any. */
class TurnCounts {
  private readonly counts = new Map<string, number>();

  of(key: string): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: string, by: 1 | -1): void {
    const count = this.of(key) + by;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }

  keysFrom(least: number): string[] {
    return [...this.counts].filter(([, count]) => count >= least).map(([key]) => key);
  }
}

const personKey = ({ flow, person }: FlowKey): string => `${flow} ${person}`;

/** The first of each list, then the second of each … */
function rotate<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_unused, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}
