import type { FairTurns, Waiting } from './fair-turns.ts';
import { WaitingWalk } from './waiting-walk.ts';

/** Persons that are looked for beside the oldest rows. */
const mostPersons = 100;

type Parts<Row> = {
  readonly turns: Pick<FairTurns, 'inOrder'>;
  readonly waitingOf: (row: Row) => Waiting;
  /** See `WaitingWalk`. */
  readonly next: (last: Row | null) => Promise<Row | null>;
};

/** A queue of rows in a store, in the order of their turns. */
export class FairQueue<Row extends { readonly _id: string }> {
  private readonly walk = new WaitingWalk<Row>();

  constructor(private readonly parts: Parts<Row>) {}

  /**
   * Puts the oldest rows in the order of their turns. Where there are as many as were asked for, more may wait: then the
   * oldest one of other persons is among them, some persons each time.
   */
  async inOrder(oldest: readonly Row[], limit: number): Promise<Row[]> {
    const { turns, waitingOf, next } = this.parts;
    const others = oldest.length < limit ? [] : await this.walk.read(mostPersons, next);
    const known = new Set(oldest.map(({ _id }) => _id));
    return turns.inOrder([...oldest, ...others.filter(({ _id }) => !known.has(_id))], waitingOf);
  }
}
