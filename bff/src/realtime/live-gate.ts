import type { RevocationFeed } from '@parley/platform/revocations';

const lookEveryMs = 100;
/** News as old as this, beyond what counts as fresh, is still on its way. */
const slowMs = 1_000;
/** Looks, not time: a pause of the whole process is nobody's silence. */
const mostLooks = 40;
const mostHeld = 20_000;

/**
 * What goes to sockets passes here. While nobody can tell who lost access it is held back, in order, and goes on once
 * revocations are known until a second before it came: whoever lost access has been cut by then. When nobody has told
 * for 6 s, or too much is held, all sockets are cut; clients come back and ask for what they lack.
 */
export class LiveGate {
  private readonly feed: Pick<RevocationFeed, 'isFresh'>;
  private readonly cutAll: () => void;
  private readonly timer: NodeJS.Timeout;
  private silentLooks = 0;
  private held: { readonly at: number; readonly send: () => void }[] = [];

  constructor(feed: LiveGate['feed'], cutAll: () => void) {
    this.feed = feed;
    this.cutAll = cutAll;
    this.timer = setInterval(() => this.look(), lookEveryMs);
  }

  /** Calls `send` now, later or never. */
  pass(send: () => void): void {
    if (this.held.length === 0 && this.feed.isFresh()) return send();
    this.held.push({ at: performance.now(), send });
    if (this.held.length > mostHeld) this.giveUp();
  }

  close(): void {
    clearInterval(this.timer);
    this.held = [];
  }

  private look(): void {
    const waiting = this.held.findIndex(({ at }) => !this.feed.isFresh(at));
    for (const { send } of this.held.splice(0, waiting === -1 ? this.held.length : waiting)) send();
    this.silentLooks = this.feed.isFresh(performance.now() - slowMs) ? 0 : this.silentLooks + 1;
    if (this.silentLooks >= mostLooks) this.giveUp();
  }

  private giveUp(): void {
    this.held = [];
    this.cutAll();
  }
}
