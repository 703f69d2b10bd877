import type { GenerationId } from '@parley/contracts';
import { jobScope } from '@parley/platform/mongo';
import type { AnswerAttempt } from '../writing/answer-attempt.ts';
import { Checkpoints } from './checkpoints.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { leaseMs } from '../rows/generation.ts';
import type { GenerationsRepository, Lease } from '../rows/generations.repository.ts';

const checkpointMs = 1_000;
/** Leases are renewed this often: early enough that a renewal which takes three seconds to arrive is still in time. */
const renewEveryMs = 2_000;
/** A store that doesn't answer gets no more renewals than these at a time. */
const mostRenewals = 5;
const scope = jobScope('workers write the answers of all organisations');

type Parts = {
  readonly generations: Pick<GenerationsRepository, 'keep' | 'keepSent' | 'renew'>;
  readonly holder: string;
  /** Called when the first attempt begins; the function that it returns is called when the last attempt has ended. */
  readonly whileBusy: () => () => void;
};

/**
 * Holds the attempts of one worker. Stores their new text every second, and renews their leases every 2 s in separate
 * writes. A renewal waits neither for texts nor for another renewal.
 */
export class AttemptsInHand {
  private readonly attempts = new Map<GenerationId, AnswerAttempt>();
  /** Answers that this worker is ending without running an attempt. */
  private readonly ending = new Set<GenerationId>();
  private readonly renewals = new Set<Promise<void>>();
  private checkpointing: Promise<void> | null = null;
  private isStarted = false;
  /** The timers run while there are attempts. */
  private timers: NodeJS.Timeout[] = [];
  private endBusy: () => void = () => undefined;

  private readonly checkpoints: Checkpoints;

  constructor(private readonly parts: Parts) {
    this.checkpoints = new Checkpoints(parts.generations);
  }

  start(): void {
    this.isStarted = true;
  }

  /** Stores the texts a last time and gives all leases back, so that another worker continues immediately. */
  async giveBack(): Promise<void> {
    this.isStarted = false;
    this.rest();
    // Wait for renewals under way: they would take the leases back.
    await Promise.all([this.checkpointing, ...this.renewals]);
    await this.keep().catch(() => undefined);
    await this.parts.generations.renew(scope, this.held(), null).catch(() => undefined);
  }

  get size(): number {
    return this.attempts.size;
  }

  get ids(): GenerationId[] {
    return [...this.attempts.keys(), ...this.ending];
  }

  get all(): AnswerAttempt[] {
    return [...this.attempts.values()];
  }

  get(id: GenerationId): AnswerAttempt | undefined {
    return this.attempts.get(id);
  }

  add(attempt: AnswerAttempt): void {
    this.attempts.set(attempt.generation._id, attempt);
    if (!this.isStarted || this.timers.length > 0) return;
    this.timers = [setInterval(() => this.tick(), checkpointMs), setInterval(() => this.renewSoon(), renewEveryMs)];
    this.endBusy = this.parts.whileBusy();
  }

  remove(id: GenerationId): void {
    this.attempts.delete(id);
    if (this.attempts.size === 0) this.rest();
  }

  /** Stores the estimated input of an attempt immediately. If that fails, the attempt's first checkpoint stores it. */
  keepSent({ _id: id, epoch }: Generation, sent: NonNullable<Generation['sent']>): Promise<void> {
    return this.parts.generations.keepSent(scope, { id, epoch }, sent).catch(() => undefined);
  }

  /** Reports an answer as held by this worker while its end is being stored. */
  async whileEnding<Result>(id: GenerationId, end: () => Promise<Result>): Promise<Result> {
    this.ending.add(id);
    try {
      return await end();
    } finally {
      this.ending.delete(id);
    }
  }

  newLease(): Lease {
    return { holder: this.parts.holder, until: new Date(Date.now() + leaseMs) };
  }

  private rest(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    this.endBusy();
  }

  private tick(): void {
    for (const attempt of this.attempts.values()) attempt.endIfOverdue();
    this.checkpointing ??= this.keep()
      .catch(() => undefined)
      .finally(() => {
        this.checkpointing = null;
      });
  }

  private keep(): Promise<void> {
    return this.checkpoints.keep(this.all.map((attempt) => attempt.progress()));
  }

  private renewSoon(): void {
    if (this.renewals.size >= mostRenewals) return;
    const renewal = this.renew()
      .catch(() => undefined)
      .finally(() => this.renewals.delete(renewal));
    this.renewals.add(renewal);
  }

  private async renew(): Promise<void> {
    const attempts = this.all;
    const kept = await this.parts.generations.renew(scope, this.held(), this.newLease());
    for (const attempt of attempts) attempt.apply(kept.get(attempt.generation._id) ?? null);
  }

  private held(): { readonly id: GenerationId; readonly epoch: number }[] {
    return this.all.map(({ generation }) => ({ id: generation._id, epoch: generation.epoch }));
  }
}
