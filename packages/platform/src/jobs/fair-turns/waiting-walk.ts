/**
 * Finds who waits when more wait than are read at once: one row each (the oldest) of different organisations and
 * persons, so that the many of one don't hide the others. Goes on where it was the last time, so that all have their
 * turn to be found.
 */
export class WaitingWalk<Row extends { readonly _id: string }> {
  private last: Row | null = null;

  /**
   * Reads at most `most` rows. `next` finds the first row behind that one, in the order of an index by organisation and
   * person, that is of another person; without one the first of all.
   */
  async read(most: number, next: (last: Row | null) => Promise<Row | null>): Promise<Row[]> {
    const found = new Map<string, Row>();
    let isLastLap = this.last === null;
    while (found.size < most) {
      const row = await next(this.last);
      if (row ? found.has(row._id) : isLastLap) break;
      isLastLap ||= row === null;
      this.last = row;
      if (row) found.set(row._id, row);
    }
    return [...found.values()];
  }
}
