/**
 * Finds who waits if more rows wait than are read at once: the oldest row of each organisation and person, so that the
 * many rows of one person don't hide the others. Continues at its last position, so that all are found in time.
 */
export class WaitingWalk<Row extends { readonly _id: string }> {
  private last: Row | null = null;

  /**
   * Reads at most `most` rows. `next` finds the first row of another person after the given row, in the order of an
   * index by organisation and person; without a row, the first of all.
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
