import { Rotation } from './rotation.ts';

/** Names who waits: a flow (share of capacity, see `Flows`), an organisation in it, a person of the organisation. */
export type FlowKey = { readonly flow: string; readonly organisation: string; readonly person: string };
/** Someone who waits, and when the server learned of it. */
export type Waiting = FlowKey & { readonly arrivedAt: Date };
/**
 * Limits how many turns run at once: in all, per flow (by default half of all, at least one), per person over all
 * flows.
 */
export type TurnBounds = { readonly all: number; readonly ofFlow?: number; readonly ofPerson?: number };

/** Limits the flows, organisations and persons whose last turn is remembered; all others count as new. */
const mostRemembered = 10_000;

/**
 * Divides the slots of one worker. A flow (share of capacity, see `Flows`) has at most half of them, even if the others
 * are free. So there is always a slot for the next flow, however long turns take. Turns are given by flow, then by
 * organisation, then by person, then by arrival. Pure and in memory: each process divides its own slots.
 */
export class FairTurns {
  private readonly ofFlows = new TurnCounts();
  private readonly ofPersons = new TurnCounts();
  private running = 0;
  private readonly bounds: Required<TurnBounds>;
  /** The number of the last turn of each flow, organisation and person, ascending. */
  private readonly lastTurns = new Map<string, number>();
  private turnCount = 0;

  constructor({ all, ofFlow = Math.max(1, Math.floor(all / 2)), ofPerson = Infinity }: TurnBounds) {
    this.bounds = { all, ofFlow, ofPerson };
  }

  /** Returns the number of free slots. */
  get free(): number {
    return this.bounds.all - this.running;
  }

  /** Turns that run. */
  get count(): number {
    return this.running;
  }

  /** Lists the flows whose next turn waits until one of their turns ends. */
  get fullFlows(): string[] {
    return this.ofFlows.keysFrom(this.bounds.ofFlow);
  }

  /** Lists the persons whose next turn waits until one of their turns ends. */
  get fullPersons(): string[] {
    return this.ofPersons.keysFrom(this.bounds.ofPerson);
  }

  /** Returns whether the next turn of this flow and person would wait. */
  isFullFor({ flow, person }: Pick<FlowKey, 'flow' | 'person'>): boolean {
    const { ofFlow, ofPerson } = this.bounds;
    return this.free <= 0 || this.ofFlows.of(flow) >= ofFlow || this.ofPersons.of(person) >= ofPerson;
  }

  /**
   * Takes a slot and returns the function that gives the slot back, once; null if no slot is free for this flow or
   * person.
   */
  begin(key: FlowKey): (() => void) | null {
    if (this.isFullFor(key)) return null;
    for (const path of pathsOf(key)) this.remember(path);
    return this.take(key);
  }

  /**
   * Returns the waiting items in the order of their turns: one of each flow in rotation, beginning with the flow whose
   * last turn was longest ago; within a flow the same by organisation, within an organisation by person, and of one
   * person the oldest arrival first.
   */
  inOrder<Item>(items: readonly Item[], waitingOf: (item: Item) => Waiting): Item[] {
    const waiting = items.map((item) => ({ item, key: waitingOf(item) }));
    waiting.sort((one, other) => one.key.arrivedAt.getTime() - other.key.arrivedAt.getTime());
    // Sorts by person, organisation and flow. Each sort keeps the order of the sort before for equal items, so the flow
    // decides first.
    for (const depth of [2, 1, 0] as const)
      waiting.sort((one, other) => this.lastTurn(one.key, depth) - this.lastTurn(other.key, depth));
    const rotation = new Rotation<Item>();
    for (const { item, key } of waiting) rotation.add([key.flow, key.organisation, key.person], item);
    return items.map(() => rotation.next()!);
  }

  private lastTurn(key: FlowKey, depth: 0 | 1 | 2): number {
    return this.lastTurns.get(pathsOf(key)[depth]) ?? 0;
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

  private remember(path: string): void {
    this.lastTurns.delete(path);
    this.lastTurns.set(path, (this.turnCount += 1));
    if (this.lastTurns.size <= mostRemembered) return;
    const [oldest] = this.lastTurns.keys();
    this.lastTurns.delete(oldest!);
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

/** One path for each level: the flow, the organisation below it, the person below that. */
const pathsOf = ({ flow, organisation, person }: FlowKey): readonly [string, string, string] => {
  const inFlow = `${flow} ${organisation}`;
  return [flow, inFlow, `${inFlow} ${person}`];
};
