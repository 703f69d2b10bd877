import { FairTurns, type Turn } from '@parley/platform/fair-turns';
import type { AnswerSlot } from '../writing/answer-slot.ts';

type Held = {
  readonly turn: Turn;
  heardAt: number;
  /** Null while it has given up its slot. */
  giveBack: (() => void) | null;
  returned: (() => void) | null;
};
type Options = {
  readonly all: number;
  /** An answer that received nothing for so long is silent. */
  readonly silentMs: number;
  readonly now?: () => number;
};

/** Silent answers without a slot, per slot. The last tenth of them is for shares that have few answers. */
const silentPerSlot = 2;
const tenth = (count: number): number => Math.max(1, Math.floor(count / 10));
const twentieth = (count: number): number => Math.floor(count / 20);
/** A share with this many answers can't take a slot of the last twentieth. */
const several = 2;

/** Answers of each share and of each person within it: looked up for every pair of a silent answer and one that waits. */
class AnswerCounts {
  private readonly counts = new Map<string, number>();

  add({ share, person }: Turn, by: 1 | -1): void {
    for (const key of [share, `${share} ${person}`]) {
      const count = (this.counts.get(key) ?? 0) + by;
      if (count === 0) this.counts.delete(key);
      else this.counts.set(key, count);
    }
  }

  ofShare({ share }: Turn): number {
    return this.counts.get(share) ?? 0;
  }

  ofPerson({ share, person }: Turn): number {
    return this.counts.get(`${share} ${person}`) ?? 0;
  }
}

/**
 * The slots of one worker, one for each answer that it writes at the same time; a share has at most half of them, and
 * the last twentieth is for shares that have none or one, so that a few shares can't keep the next one waiting. A
 * silent answer goes on, but gives its slot to whoever has fewer answers and waits: another share, or within its share
 * another person. With its next word it has a slot again at once, even if that makes one too many, at most a tenth above
 * all slots; beyond that it waits for the next slot, before anything new begins.
 */
export class WorkerSlots {
  private readonly turns: FairTurns;
  private readonly answers = new Set<Held>();
  private readonly counts = new AnswerCounts();
  private withoutSlot = 0;
  private readonly returning: Held[] = [];
  private readonly now: () => number;

  constructor(private readonly options: Options) {
    this.turns = new FairTurns(options.all);
    this.now = options.now ?? (() => performance.now());
  }

  get free(): number {
    return this.turns.free;
  }

  /** Answers that have a slot, or gave it up and go on. */
  get answerCount(): number {
    return this.answers.size;
  }

  /** Answers that have given up their slot. */
  get silentCount(): number {
    return this.withoutSlot;
  }

  /** Whether somebody who waits might get a slot now. */
  get mayTake(): boolean {
    return this.free > 0 || this.silentOnes(() => true).length > 0;
  }

  /** Null when all are taken, or the share has its half, and no silent answer gives up its own. */
  take(turn: Turn): AnswerSlot | null {
    const giveBack = (this.mayBegin(turn) ? this.turns.begin(turn) : null) ?? this.beginInsteadOfSilent(turn);
    if (!giveBack) return null;
    const held: Held = { turn, heardAt: this.now(), giveBack, returned: null };
    this.answers.add(held);
    this.counts.add(turn, 1);
    return {
      heard: (returned) => this.hear(held, returned),
      pause: () => void (held.heardAt = Number.NEGATIVE_INFINITY),
      release: () => this.release(held),
    };
  }

  /** Shares that get no slot until an answer ends. */
  thatWait(): string[] {
    const silent = new Set(this.silentOnes(() => true).map(({ turn }) => turn.share));
    const shares = new Set([...this.answers].map(({ turn }) => turn.share));
    const waits = (share: string): boolean =>
      this.turns.hasItsHalf(share) ? !silent.has(share) : silent.size === 0 && !this.mayBegin({ share });
    return [...shares].filter(waits);
  }

  /** What waits, in the order of its turns; see `FairTurns`. */
  inOrder: FairTurns['inOrder'] = (items, turnOf) => this.turns.inOrder(items, turnOf);

  private hear(held: Held, returned: () => void): boolean {
    held.heardAt = this.now();
    if (held.giveBack || !this.answers.has(held)) return true;
    if (this.giveSlot(held, this.resume(held))) return true;
    held.returned = returned;
    if (!this.returning.includes(held)) this.returning.push(held);
    return false;
  }

  private resume({ turn }: Held): Held['giveBack'] {
    const mostAbove = tenth(this.options.all);
    const resumed = this.turns.resume(turn, mostAbove);
    if (resumed || !this.giveUp(turn, () => true)) return resumed;
    return this.turns.resume(turn, mostAbove);
  }

  private release(held: Held): boolean {
    const wasFull = this.turns.isFullFor(held.turn.share) || this.isNearlyFull;
    if (!this.answers.delete(held)) return false;
    this.counts.add(held.turn, -1);
    if (!held.giveBack) this.withoutSlot -= 1;
    if (this.returning.includes(held)) this.returning.splice(this.returning.indexOf(held), 1);
    held.giveBack?.();
    this.serveReturning();
    return wasFull;
  }

  private serveReturning(): void {
    const [next] = this.returning;
    if (!next) return;
    if (!this.giveSlot(next, this.turns.resume(next.turn, tenth(this.options.all)))) return;
    this.returning.shift();
    next.returned?.();
  }

  private giveSlot(held: Held, giveBack: Held['giveBack']): boolean {
    held.giveBack = giveBack;
    if (giveBack) this.withoutSlot -= 1;
    return giveBack !== null;
  }

  private get isNearlyFull(): boolean {
    return this.free <= twentieth(this.options.all);
  }

  private mayBegin({ share }: Pick<Turn, 'share'>): boolean {
    return !this.isNearlyFull || this.turns.countOf(share) < several;
  }

  private beginInsteadOfSilent(turn: Turn): Held['giveBack'] {
    const mine = { share: this.counts.ofShare(turn), person: this.counts.ofPerson(turn) };
    const mayBeginBeside = (one: Turn): boolean => hasFewer(mine.share, this.counts.ofShare(one));
    const mayBeginInside = (one: Turn): boolean => hasFewer(mine.person, this.counts.ofPerson(one));
    const onlyInside = this.turns.hasItsHalf(turn.share);
    const mayBegin = (one: Turn): boolean =>
      one.share === turn.share ? mayBeginInside(one) : !onlyInside && mayBeginBeside(one);
    return this.giveUp(turn, mayBegin) ? this.turns.begin(turn) : null;
  }

  private silentOnes(which: (turn: Turn) => boolean): Held[] {
    const silentSince = this.now() - this.options.silentMs;
    const silent: Held[] = [];
    for (const answer of this.answers)
      if (answer.giveBack !== null && answer.heardAt <= silentSince && which(answer.turn)) silent.push(answer);
    return silent;
  }

  /** Of the share with the most slots, the one that was silent for longest. False where none may give up its own. */
  private giveUp(turn: Turn, which: (turn: Turn) => boolean): boolean {
    const most = this.options.all * silentPerSlot;
    const hasFew = this.counts.ofShare(turn) < tenth(this.options.all);
    if (this.withoutSlot >= (hasFew ? most : most - tenth(most))) return false;
    const [first] = this.silentOnes(which).toSorted(
      (one, other) =>
        this.turns.countOf(other.turn.share) - this.turns.countOf(one.turn.share) || one.heardAt - other.heardAt,
    );
    if (!first?.giveBack) return false;
    first.giveBack();
    first.giveBack = null;
    this.withoutSlot += 1;
    return true;
  }
}

/** Also after one more. Who has none has fewer than anybody. */
const hasFewer = (own: number, theirs: number): boolean => own === 0 || own + 1 < theirs;
