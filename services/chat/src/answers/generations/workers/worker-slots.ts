import { FairTurns, type FlowKey } from '@parley/platform/fair-turns';
import type { AnswerSlot } from '../writing/answer-slot.ts';

type Held = {
  readonly key: FlowKey;
  heardAt: number;
  /** Since when it has had its slot. */
  heldSince: number;
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

/** Silent answers without a slot, per slot. The last tenth of them is for flows that have few answers. */
const silentPerSlot = 2;
const tenth = (count: number): number => Math.max(1, Math.floor(count / 10));
const twentieth = (count: number): number => Math.floor(count / 20);
/** A flow with this many answers can't take a slot of the last twentieth. */
const several = 2;
/** After so long with its slot, an answer gives it to a flow that has no answer. */
const longMs = 60_000;

/**
 * Answers of each flow and of each person within it, also those that have given up their slot: `FairTurns` counts slots,
 * and a person over all flows. Looked up for every pair of a silent answer and one that waits.
 */
class AnswerCounts {
  private readonly counts = new Map<string, number>();

  add({ flow, person }: FlowKey, by: 1 | -1): void {
    for (const key of [flow, `${flow} ${person}`]) {
      const count = (this.counts.get(key) ?? 0) + by;
      if (count === 0) this.counts.delete(key);
      else this.counts.set(key, count);
    }
  }

  ofFlow({ flow }: FlowKey): number {
    return this.counts.get(flow) ?? 0;
  }

  ofPerson({ flow, person }: FlowKey): number {
    return this.counts.get(`${flow} ${person}`) ?? 0;
  }
}

/**
 * Shares the slots of one worker, one for each answer that it writes at the same time. A flow has at most half of them,
 * and a person a tenth over all flows, used or not. The last twentieth is for flows that have none or one, so that a
 * few flows can't keep the next one waiting. A silent answer goes on, but gives its slot to a flow with fewer answers
 * that waits, or within its flow to another person. One that has had its slot for a minute gives it to a flow that has
 * no answer. With its next word either has a slot again at once, at most a tenth above all slots. Beyond that, or while
 * its person has a tenth, it waits for the next slot, before anything new begins.
 */
export class WorkerSlots {
  private readonly turns: FairTurns;
  private readonly answers = new Set<Held>();
  private readonly counts = new AnswerCounts();
  private withoutSlot = 0;
  private readonly returning: Held[] = [];
  private readonly now: () => number;

  constructor(private readonly options: Options) {
    this.turns = new FairTurns(options.all, options.all, tenth(options.all));
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
    return this.free > 0 || this.silentOnes(() => true).length > 0 || this.longOnes().length > 0;
  }

  /** Null when the person has a tenth, and when all are taken, or the flow has its half, and no answer gives up its own. */
  take(key: FlowKey): AnswerSlot | null {
    if (this.turns.isPersonFull(key.person)) return null;
    const giveBack = (this.mayBegin(key) ? this.turns.begin(key) : null) ?? this.beginInstead(key);
    if (!giveBack) return null;
    const now = this.now();
    const held: Held = { key, heardAt: now, heldSince: now, giveBack, returned: null };
    this.answers.add(held);
    this.counts.add(key, 1);
    return {
      heard: (returned) => this.hear(held, returned),
      pause: () => void (held.heardAt = Number.NEGATIVE_INFINITY),
      release: () => this.release(held),
    };
  }

  /** Flows that get no slot until an answer ends. */
  thatWait(): string[] {
    const silent = new Set(this.silentOnes(() => true).map(({ key }) => key.flow));
    const flows = new Set([...this.answers].map(({ key }) => key.flow));
    const isTaken = (flow: string): boolean => this.free <= 0 || !this.mayBegin({ flow });
    const waits = (flow: string): boolean =>
      this.turns.hasItsHalf(flow) ? !silent.has(flow) : silent.size === 0 && isTaken(flow);
    return [...flows].filter(waits);
  }

  /** Persons that get no slot until an answer of theirs ends or gives up its own. */
  get fullPersons(): string[] {
    return this.turns.fullPersons;
  }

  /** What waits, in the order of its turns; see `FairTurns`. */
  inOrder: FairTurns['inOrder'] = (items, waitingOf) => this.turns.inOrder(items, waitingOf);

  private hear(held: Held, returned: () => void): boolean {
    held.heardAt = this.now();
    if (held.giveBack || !this.answers.has(held)) return true;
    if (this.giveSlot(held, this.resume(held))) return true;
    held.returned = returned;
    if (!this.returning.includes(held)) this.returning.push(held);
    return false;
  }

  private resume({ key }: Held): Held['giveBack'] {
    if (this.turns.isPersonFull(key.person)) return null;
    const resumed = this.turns.resume(key, this.mostAbove);
    if (resumed || !this.giveUpSilent(key, () => true)) return resumed;
    return this.turns.resume(key, this.mostAbove);
  }

  private release(held: Held): boolean {
    const { flow, person } = held.key;
    const wasFull = this.turns.isFullFor(flow) || this.isNearlyFull || this.turns.isPersonFull(person);
    if (!this.answers.delete(held)) return false;
    this.counts.add(held.key, -1);
    if (!held.giveBack) this.withoutSlot -= 1;
    if (this.returning.includes(held)) this.returning.splice(this.returning.indexOf(held), 1);
    held.giveBack?.();
    this.serveReturning();
    return wasFull;
  }

  /** Serves the first whose person has fewer than a tenth: the others wait for an answer of their own person. */
  private serveReturning(): void {
    const next = this.returning.find(({ key }) => !this.turns.isPersonFull(key.person));
    if (!next || !this.giveSlot(next, this.turns.resume(next.key, this.mostAbove))) return;
    this.returning.splice(this.returning.indexOf(next), 1);
    next.returned?.();
  }

  private giveSlot(held: Held, giveBack: Held['giveBack']): boolean {
    held.giveBack = giveBack;
    if (!giveBack) return false;
    held.heldSince = this.now();
    this.withoutSlot -= 1;
    return true;
  }

  private get mostAbove(): number {
    return tenth(this.options.all);
  }

  private get isNearlyFull(): boolean {
    return this.free <= twentieth(this.options.all);
  }

  private mayBegin({ flow }: Pick<FlowKey, 'flow'>): boolean {
    return !this.isNearlyFull || this.turns.countOf(flow) < several;
  }

  /** Takes over the slot of a silent answer or, for a flow that has no answer, of one that has had it for a minute. */
  private beginInstead(key: FlowKey): Held['giveBack'] {
    const mine = { flow: this.counts.ofFlow(key), person: this.counts.ofPerson(key) };
    const mayBeginBeside = (one: FlowKey): boolean => hasFewer(mine.flow, this.counts.ofFlow(one));
    const mayBeginInside = (one: FlowKey): boolean => hasFewer(mine.person, this.counts.ofPerson(one));
    const onlyInside = this.turns.hasItsHalf(key.flow);
    const mayBegin = (one: FlowKey): boolean =>
      one.flow === key.flow ? mayBeginInside(one) : !onlyInside && mayBeginBeside(one);
    const isGiven = this.giveUpSilent(key, mayBegin) || (mine.flow === 0 && this.giveUp(this.longOnes()));
    return isGiven ? this.turns.begin(key, this.mostAbove) : null;
  }

  private silentOnes(which: (key: FlowKey) => boolean): Held[] {
    const silentSince = this.now() - this.options.silentMs;
    return this.holding(({ heardAt, key }) => heardAt <= silentSince && which(key));
  }

  private longOnes(): Held[] {
    const longSince = this.now() - longMs;
    return this.holding(({ heldSince }) => heldSince <= longSince);
  }

  private holding(which: (held: Held) => boolean): Held[] {
    const found: Held[] = [];
    for (const answer of this.answers) if (answer.giveBack !== null && which(answer)) found.push(answer);
    return found;
  }

  private giveUpSilent(key: FlowKey, which: (key: FlowKey) => boolean): boolean {
    const most = this.options.all * silentPerSlot;
    const hasFew = this.counts.ofFlow(key) < tenth(this.options.all);
    if (this.withoutSlot >= (hasFew ? most : most - tenth(most))) return false;
    return this.giveUp(this.silentOnes(which));
  }

  /** Takes the slot of the flow with the most, from the answer that was silent for longest; false without any. */
  private giveUp(answers: readonly Held[]): boolean {
    const [first] = answers.toSorted(
      (one, other) =>
        this.turns.countOf(other.key.flow) - this.turns.countOf(one.key.flow) || one.heardAt - other.heardAt,
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
