import { Problem, type UserId } from '@parley/contracts';

/** How many sockets each person has in this process. */
export class PersonCounts {
  private readonly counts = new Map<UserId, number>();
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  /**
   * Refuses the one too many: were the oldest closed instead, its tab would come back and close the next one, for ever.
   * The function that it returns counts one out again.
   */
  enter(userId: UserId): () => void {
    const count = this.counts.get(userId) ?? 0;
    if (count >= this.most)
      throw new Problem('platform.rate-limited', {
        detail: `You have ${this.most} tabs open already. Close some of them.`,
      });
    this.counts.set(userId, count + 1);
    return () => this.leave(userId);
  }

  private leave(userId: UserId): void {
    const left = (this.counts.get(userId) ?? 1) - 1;
    if (left === 0) this.counts.delete(userId);
    else this.counts.set(userId, left);
  }
}
