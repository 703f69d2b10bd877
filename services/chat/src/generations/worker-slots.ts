import { FairTurns, type Turn } from '@parley/platform/fair-turns';

/** The slot of one answer. */
export type AnswerSlot = {
  /**
   * The answer received text or reasoning. False while it has to wait for the slot that it gave up; `returned` is called
   * once it has one again.
   */
  heard(returned: () => void): boolean;
  /** Gives it back for good, and says whether somebody may have waited for it. Idempotent. */
  release(): boolean;
};
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

/**
 * The slots of one worker, one for each answer that it writes at the same time; a share has at most half of them. A
 * silent answer goes on, but gives its slot to whoever has fewer answers and waits: another share, or within its share
 * another person. With its next word it has a slot again at once, even if that makes one too many, at most a tenth above
 * all slots; beyond that it waits for the next slot, before anything new begins.
 */
export class WorkerSlots {
  private readonly turns: FairTurns;
  private readonly answers = new Set<Held>();
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
    return [...this.answers].filter(({ giveBack }) => giveBack === null).length;
  }

  /** Whether somebody who waits might get a slot now. */
  get mayTake(): boolean {
    return this.free > 0 || [...this.answers].some((answer) => this.isSilent(answer));
  }

  /** Null when all are taken, or the share has its half, and no silent answer gives up its own. */
  take(turn: Turn): AnswerSlot | null {
    const giveBack = this.turns.begin(turn) ?? this.beginInsteadOfSilent(turn);
    if (!giveBack) return null;
    const held: Held = { turn, heardAt: this.now(), giveBack, returned: null };
    this.answers.add(held);
    return { heard: (returned) => this.hear(held, returned), release: () => this.release(held) };
  }

  /** Shares that get no slot until one of their answers ends. */
  withTheirHalf(): string[] {
    const silent = new Set([...this.answers].filter((answer) => this.isSilent(answer)).map(({ turn }) => turn.share));
    return this.turns.withTheirHalf().filter((share) => !silent.has(share));
  }

  /** What waits, in the order of its turns; see `FairTurns`. */
  inOrder: FairTurns['inOrder'] = (items, turnOf) => this.turns.inOrder(items, turnOf);

  private hear(held: Held, returned: () => void): boolean {
    held.heardAt = this.now();
    if (held.giveBack || !this.answers.has(held)) return true;
    held.giveBack = this.resume(held);
    if (held.giveBack) return true;
    held.returned = returned;
    if (!this.returning.includes(held)) this.returning.push(held);
    return false;
  }

  private resume({ turn }: Held): Held['giveBack'] {
    const mostAbove = tenth(this.options.all);
    const resumed = this.turns.resume(turn, mostAbove);
    if (
      resumed ||
      !this.giveUp(
        this.silentOnes(() => true),
        turn,
      )
    )
      return resumed;
    return this.turns.resume(turn, mostAbove);
  }

  private release(held: Held): boolean {
    const wasFull = this.turns.isFullFor(held.turn.share);
    if (!this.answers.delete(held)) return false;
    if (this.returning.includes(held)) this.returning.splice(this.returning.indexOf(held), 1);
    held.giveBack?.();
    this.serveReturning();
    return wasFull;
  }

  private serveReturning(): void {
    const [next] = this.returning;
    if (!next) return;
    next.giveBack = this.turns.resume(next.turn, tenth(this.options.all));
    if (!next.giveBack) return;
    this.returning.shift();
    next.returned?.();
  }

  private beginInsteadOfSilent(turn: Turn): Held['giveBack'] {
    const isOfShare = ({ share }: Turn): boolean => share === turn.share;
    const isOfPerson = (one: Turn): boolean => isOfShare(one) && one.person === turn.person;
    const mayBeginBeside = (one: Turn): boolean => this.hasFewer(isOfShare, ({ share }) => share === one.share);
    const mayBeginInside = (one: Turn): boolean =>
      this.hasFewer(isOfPerson, ({ share, person }) => share === one.share && person === one.person);
    const silent = this.turns.hasItsHalf(turn.share)
      ? this.silentOnes((one) => isOfShare(one) && mayBeginInside(one))
      : this.silentOnes((one) => (isOfShare(one) ? mayBeginInside(one) : mayBeginBeside(one)));
    return this.giveUp(silent, turn) ? this.turns.begin(turn) : null;
  }

  /** Also after one more. Who has none has fewer than anybody. */
  private hasFewer(mine: (turn: Turn) => boolean, theirs: (turn: Turn) => boolean): boolean {
    const own = this.count(mine);
    return own === 0 || own + 1 < this.count(theirs);
  }

  private count(which: (turn: Turn) => boolean): number {
    return [...this.answers].filter(({ turn }) => which(turn)).length;
  }

  private silentOnes(which: (turn: Turn) => boolean): Held[] {
    return [...this.answers].filter((answer) => this.isSilent(answer) && which(answer.turn));
  }

  private isSilent({ giveBack, heardAt }: Held): boolean {
    return giveBack !== null && this.now() - heardAt >= this.options.silentMs;
  }

  /** Of the share with the most slots, the one that was silent for longest. False where none may give up its own. */
  private giveUp(silent: readonly Held[], { share }: Turn): boolean {
    const most = this.options.all * silentPerSlot;
    const hasFew = this.count((turn) => turn.share === share) < tenth(this.options.all);
    if (this.silentCount >= (hasFew ? most : most - tenth(most))) return false;
    const [first] = silent.toSorted(
      (one, other) =>
        this.turns.countOf(other.turn.share) - this.turns.countOf(one.turn.share) || one.heardAt - other.heardAt,
    );
    first?.giveBack?.();
    if (first) first.giveBack = null;
    return first !== undefined;
  }
}
