import type { RevocationFeed } from '@parley/platform/revocations';

const lookEveryMs = 100;
const longestHoldMs = 5_000;
const mostHeld = 20_000;

/**
 * What goes to sockets passes here. While nobody can tell who lost access it is held back, in order, and goes on once revocations are
 * known until a second before it came: whoever lost access has been cut by then. When nobody tells for 5 s more, or too much is held,
 * all sockets are cut; clients come back and ask for what they lack.
 */
export class LiveGate {
  private readonly feed: Pick<RevocationFeed, 'isFresh' | 'pollNow'>;
  private readonly cutAll: () => void;
  private readonly timer: NodeJS.Timeout;
  private held: { readonly at: number; readonly send: () => void }[] = [];

  constructor(feed: LiveGate['feed'], cutAll: () => void) {
    this.feed = feed;
    this.cutAll = cutAll;
    this.timer = setInterval(() => void this.look(), lookEveryMs);
  }

  /** Calls `send` now, later or never. */
  pass(send: () => void): void {
    if (this.held.length === 0 && this.feed.isFresh()) return send();
    this.held.push({ at: Date.now(), send });
    if (this.held.length > mostHeld) this.giveUp();
  }

  close(): void {
    clearInterval(this.timer);
    this.held = [];
  }

  private async look(): Promise<void> {
    const waiting = this.held.findIndex(({ at }) => !this.feed.isFresh(at));
    for (const { send } of this.held.splice(0, waiting === -1 ? this.held.length : waiting)) send();
    if (this.isInTime()) return;
    // After a pause of the whole process it asks before it cuts.
    await this.feed.pollNow();
    if (!this.isInTime()) this.giveUp();
  }

  private isInTime(): boolean {
    return this.feed.isFresh(Date.now() - longestHoldMs);
  }

  private giveUp(): void {
    this.held = [];
    this.cutAll();
  }
}
