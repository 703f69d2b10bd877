import { signInLimits } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { FairTurns, type FlowKey } from '@parley/platform/fair-turns';

const retryAfterSeconds = 10;

type Queued = {
  readonly key: FlowKey;
  readonly arrivedAt: Date;
  readonly start: (end: () => void) => void;
  readonly refuse: (reason: Problem) => void;
};

/**
 * Limits how many passwords this process compares at the same time, so that floods of sign-ins can't exhaust it. Waiting
 * comparisons rotate by network, then by account, so one account delays each other account by one turn.
 */
export class PasswordTurns {
  private readonly turns = new FairTurns({ all: signInLimits.atOnce });
  /** In the order of arrival. */
  private readonly waiting = new Set<Queued>();

  constructor(private readonly most: number = signInLimits.waiting) {}

  /** Does it when it is its turn; `platform.unavailable` for the one whose turn would be the last of too many. */
  async run<Result>(network: string, account: string, act: () => Promise<Result>): Promise<Result> {
    const end = await this.begin({ flow: network, organisation: '', person: account });
    try {
      return await act();
    } finally {
      end();
      this.startNext();
    }
  }

  private begin(key: FlowKey): Promise<() => void> {
    return new Promise((start, refuse) => {
      this.waiting.add({ key, arrivedAt: new Date(), start, refuse });
      this.startNext();
      if (this.waiting.size <= this.most) return;
      const last = this.inOrder().at(-1);
      if (!last) return;
      this.waiting.delete(last);
      last.refuse(new Problem('platform.unavailable', { retryAfterSeconds }));
    });
  }

  private startNext(): void {
    if (this.turns.free <= 0) return;
    for (const queued of this.inOrder()) {
      const end = this.turns.begin(queued.key);
      if (!end) continue;
      this.waiting.delete(queued);
      queued.start(end);
    }
  }

  private inOrder(): Queued[] {
    return this.turns.inOrder([...this.waiting], ({ key, arrivedAt }) => ({ ...key, arrivedAt }));
  }
}
