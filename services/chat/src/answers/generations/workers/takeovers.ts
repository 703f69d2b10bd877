import type { Mongo } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import type { Generation } from '../rows/generation.collection.ts';
import { leaseMs, takeoverOf, type Takeover } from '../rows/generation.ts';
import type { SignsOfLife } from './signs-of-life.ts';

/** After the store was unavailable for all, holders have this long to renew what ran out meanwhile. */
const renewalMs = 5_000;
/** By then only leases that were given back have ended. */
const beforeAllLeases = new Date(1);
/**
 * Leases that end this soon weren't renewed for a while. It takes five seconds to see whether their holder lives, so
 * looking begins here.
 */
const watchAheadMs = 7_000;
/** If no sweep has found an answer for this long, it isn't known how long its lease has been over. */
const forgottenMs = 10_000;

type Late = { readonly since: number; readonly lookedAt: number };
type Parts = { readonly platform: Pick<Platform, 'isAlone'>; readonly mongo: Mongo; readonly signs: SignsOfLife };

/** Decides which answers of other workers one can take. */
export class Takeovers {
  private readonly late = new Map<string, Late>();
  /** Leases that haven't ended are looked at too, until a sweep has found nothing of an earlier process. */
  private mayHaveForebears: boolean;

  constructor(private readonly parts: Parts) {
    this.mayHaveForebears = parts.platform.isAlone;
  }

  /** Answers whose lease ends before this are looked at. */
  get leaseEndedBefore(): Date {
    if (this.mayHaveForebears) return new Date(Date.now() + 2 * leaseMs);
    const clock = this.leaseClock();
    return clock === beforeAllLeases ? clock : new Date(clock.getTime() + watchAheadMs);
  }

  /** Call it when a sweep has found nothing to take. */
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
