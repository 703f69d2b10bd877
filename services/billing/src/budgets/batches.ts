type Waiting<Ask, Answer> = {
  readonly ask: Ask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
};
const mostAtOnce = 100;

/**
 * Takes what is asked under the same key together: while one batch is worked on, the next one gathers. Many who change
 * one document so do not get into each other's way.
 */
export class Batches<Key, Ask, Answer> {
  private readonly gathering = new Map<Key, Waiting<Ask, Answer>[]>();
  private readonly work: (key: Key, asks: readonly Ask[]) => Promise<readonly Answer[]>;

  /** `work` answers each ask, in their order. */
  constructor(work: (key: Key, asks: readonly Ask[]) => Promise<readonly Answer[]>) {
    this.work = work;
  }

  add(key: Key, ask: Ask): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const waiting = this.gathering.get(key);
    const mine = { ask, resolve, reject };
    if (waiting) waiting.push(mine);
    else {
      this.gathering.set(key, [mine]);
      void this.run(key);
    }
    return promise;
  }

  private async run(key: Key): Promise<void> {
    for (;;) {
      const batch = this.gathering.get(key)?.splice(0, mostAtOnce) ?? [];
      if (batch.length === 0) break;
      await this.settle(key, batch);
    }
    this.gathering.delete(key);
  }

  private async settle(key: Key, batch: readonly Waiting<Ask, Answer>[]): Promise<void> {
    try {
      const answers = await this.work(
        key,
        batch.map(({ ask }) => ask),
      );
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at]!);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}
