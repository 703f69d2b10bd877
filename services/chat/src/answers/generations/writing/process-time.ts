import { Rotation, type FlowKey } from '@parley/platform/fair-turns';

/** Words are passed on for this long in one turn of the event loop, then requests and timers run. */
const sliceMs = 1;
/** Words of one answer are passed on for this long, then words of the next flow (share of capacity). */
const turnMs = 0.25;

/** Passes waiting words on until `isOver` returns true; returns true if some words are left. */
type Speak = (isOver: () => boolean) => boolean;
type Speaker = { readonly path: readonly string[]; readonly speak: Speak };

/**
 * Divides the process's time among the words of models. While more words come than it can pass on, flows (shares of
 * capacity) take turns of a quarter of a millisecond; within a flow organisations do, then people, then answers. If
 * nobody waits, words pass immediately.
 */
export class ProcessTime {
  private readonly waiting = new Rotation<Speaker>();
  private isScheduled = false;
  private endsAt = 0;

  /** Returns whether words can pass now: nobody waits, and this turn of the event loop has time left. */
  isFree(): boolean {
    if (!this.waiting.isEmpty) return false;
    const now = performance.now();
    if (!this.isScheduled) {
      this.endsAt = now + sliceMs;
      this.schedule();
    }
    return now < this.endsAt;
  }

  /** Calls `speak` on its turn, and again in later turns while it returns true. */
  wait({ flow, organisation, person }: FlowKey, speak: Speak): void {
    this.waiting.add([flow, organisation, person], { path: [flow, organisation, person], speak });
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(() => this.nextSlice());
  }

  private nextSlice(): void {
    this.isScheduled = false;
    this.endsAt = performance.now() + sliceMs;
    for (let now = performance.now(); now < this.endsAt; now = performance.now()) {
      const speaker = this.waiting.next();
      if (!speaker) return;
      const turnEndsAt = now + turnMs;
      if (speaker.speak(() => performance.now() >= turnEndsAt)) this.waiting.add(speaker.path, speaker);
    }
    if (!this.waiting.isEmpty) this.schedule();
  }
}
