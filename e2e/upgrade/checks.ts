/** Of what went wrong: two accounts of the facts may differ in hundreds of lines. */
const mostShown = 2_000;

/** Counts what was checked, and says each as it goes. */
export class Checks {
  passed = 0;
  failed = 0;

  /** Resolves with what `act` returned; null when it threw, which is one failure. */
  async that<Result>(what: string, act: () => Result | Promise<Result>): Promise<Result | null> {
    const startedAt = performance.now();
    try {
      const result = await act();
      this.passed += 1;
      console.log(`ok      ${what} (${Math.round(performance.now() - startedAt)} ms)`);
      return result;
    } catch (error) {
      this.failed += 1;
      console.log(`FAILED  ${what}: ${(error instanceof Error ? error.message : String(error)).slice(0, mostShown)}`);
      return null;
    }
  }
}
