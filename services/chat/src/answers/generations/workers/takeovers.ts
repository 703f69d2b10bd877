import type { Mongo } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import type { Generation } from '../rows/generation.collection.ts';
import { leaseMs, takeoverOf, type Takeover } from '../rows/generation.ts';
import type { SignsOfLife } from './signs-of-life.ts';

/** The time in ms that holders get to renew expired leases after the store was unavailable for all processes. */
const renewalMs = 5_000;
/** The time to use while holders may renew leases: only leases that were given back have ended by then. */
const beforeAllLeases = new Date(1);
/**
 * A lease that ends this soon wasn't renewed for a while. Finding out if its holder lives takes five seconds, so sweeps
 * look at such leases early.
 */
const watchAheadMs = 7_000;
/**
 * After this long without a sweep that found the answer, `Takeovers` forgets since when the answer's lease has been
 * over.
 */
const forgottenMs = 10_000;

type Late = { readonly since: number; readonly lookedAt: number };
type Parts = { readonly platform: Pick<Platform, 'isAlone'>; readonly mongo: Mongo; readonly signs: SignsOfLife };

/** Decides which answers of other workers this worker can take. */
export class Takeovers {
  private readonly late = new Map<string, Late>();
  /**
   * True until a sweep has found no answer of an earlier process. Until then valid leases are checked, too, because a
   * process that runs alone knows that the earlier process is gone.
   */
  private mayHaveForebears: boolean;

  constructor(private readonly parts: Parts) {
    this.mayHaveForebears = parts.platform.isAlone;
  }

  /** The sweep finds answers whose lease ends before this. */
  get leaseEndedBefore(): Date {
    if (this.mayHaveForebears) return new Date(Date.now() + 2 * leaseMs);
    const clock = this.leaseClock();
    return clock === beforeAllLeases ? clock : new Date(clock.getTime() + watchAheadMs);
  }

  /** Call it after a sweep that found no answer to take over. */
  foundNothing(): void {
    this.mayHaveForebears = false;
  }

  /** Notes late leases and reads signs for the answers of a sweep. Call it before `of`. */
  async look(found: readonly Generation[]): Promise<void> {
    const now = performance.now();
    const clock = this.leaseClock();
    const held = found.filter(({ status, leaseHolder }) => status === 'running' && leaseHolder !== null);
    for (const generation of held) {
      if (generation.leaseUntil !== null && generation.leaseUntil > clock) this.late.delete(keyOf(generation));
      else this.late.set(keyOf(generation), { since: this.late.get(keyOf(generation))?.since ?? now, lookedAt: now });
    }
    for (const [key, { lookedAt }] of this.late) if (now - lookedAt > forgottenMs) this.late.delete(key);
    if (!this.parts.platform.isAlone) await this.parts.signs.look(held.map(({ leaseHolder }) => leaseHolder!));
  }

  of(generation: Generation): Takeover {
    const { platform, signs } = this.parts;
    const isOfThisProcess = generation.leaseHolder?.startsWith(`${signs.processMark}/`) ?? true;
    const late = this.late.get(keyOf(generation));
    return takeoverOf(generation, {
      now: this.leaseClock(),
      isLeaseVoid: platform.isAlone && !isOfThisProcess,
      sign: signs.of(generation),
      lateForMs: late ? performance.now() - late.since : 0,
    });
  }

  private leaseClock(): Date {
    return this.parts.mongo.reachedForMs < renewalMs ? beforeAllLeases : new Date();
  }
}

const keyOf = ({ _id, epoch }: Generation): string => `${_id}:${epoch}`;
