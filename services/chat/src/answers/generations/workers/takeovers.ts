import type { Mongo } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import type { Generation } from '../rows/generation.collection.ts';
import { leaseMs, takeoverOf, type Takeover } from '../rows/generation.ts';
import type { SignsOfLife } from './signs-of-life.ts';

/** After the store was unavailable for all, holders have this long to renew leases that expired meanwhile. */
const renewalMs = 5_000;
/** Used as the time: only leases that were given back have ended by then. */
const beforeAllLeases = new Date(1);
/**
 * Leases that end this soon weren't renewed for a while. To see if their holder lives takes five seconds, so look at
 * them early.
 */
const watchAheadMs = 7_000;
/** After this long without a sweep that found the answer, forget since when its lease has been over. */
const forgottenMs = 10_000;

type Late = { readonly since: number; readonly lookedAt: number };
type Parts = { readonly platform: Pick<Platform, 'isAlone'>; readonly mongo: Mongo; readonly signs: SignsOfLife };

/** Decides which answers of other workers this worker can take. */
export class Takeovers {
  private readonly late = new Map<string, Late>();
  /**
   * True until a sweep has found no answer of an earlier process. Until then checks valid leases, too, because the
   * earlier process of a lone one is gone.
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

  /** Call it when a sweep has found no answer to take. */
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
