import type { Mongo } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import type { Generation } from '../rows/generation.collection.ts';
import { leaseMs, takeoverOf, type Takeover } from '../rows/generation.ts';
import type { SignsOfLife } from './signs-of-life.ts';

/** After the store was away for all, so long do holders have to renew what ran out meanwhile. */
const renewalMs = 5_000;
/** When only leases that were given back have ended. */
const beforeAllLeases = new Date(1);
/**
 * Leases that end so soon were not renewed for a while. Whether their holder lives takes five seconds to see: who looks
 * from here on knows it when the lease ends.
 */
const watchAheadMs = 7_000;
/** Of an answer that no sweep has found for so long, it is not known for how long its lease has been over. */
const forgottenMs = 10_000;

type Late = { readonly since: number; readonly lookedAt: number };
type Parts = { readonly platform: Pick<Platform, 'isAlone'>; readonly mongo: Mongo; readonly signs: SignsOfLife };

/** Decides which answers of other workers one may take. */
export class Takeovers {
  private readonly late = new Map<string, Late>();
  /** Until a sweep has found nothing of an earlier process, leases that have not ended are looked at too. */
  private mayHaveForebears: boolean;

  constructor(private readonly parts: Parts) {
    this.mayHaveForebears = parts.platform.isAlone;
  }

  /** Answers whose lease ends before this are worth a look. */
  get leaseEndedBefore(): Date {
    if (this.mayHaveForebears) return new Date(Date.now() + 2 * leaseMs);
    const clock = this.leaseClock();
    return clock === beforeAllLeases ? clock : new Date(clock.getTime() + watchAheadMs);
  }

  /** A sweep has found nothing to take. */
  foundNothing(): void {
    this.mayHaveForebears = false;
  }

  /** Looks at what a sweep has found, before `of` is asked about it. */
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
