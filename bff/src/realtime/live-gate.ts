import type { RevocationFeed } from '@parley/platform/revocations';

const lookEveryMs = 100;
/** News as old as this, beyond what counts as fresh, is still on its way. */
const slowMs = 1_000;
/** Looks, not time: a pause of the whole process is nobody's silence. */
const looksUntilTold = 10;
const mostLooks = 600;
const mostHeld = 20_000;

export type LiveGateParts = {
  readonly feed: Pick<RevocationFeed, 'isFresh'>;
  /** Tells all sockets that nothing is delivered for now, and later that it goes on. */
  readonly tellHeld: (isHeld: boolean) => void;
  /** Closes all sockets, in batches; their clients come back and ask for what they lack. */
  readonly closeAll: () => void;
};

/**
 * What goes to sockets passes here. While nobody can tell who lost access it is held back, in order, and goes on once
 * revocations are known until a second before it came: people who lost access have been disconnected by then. Sockets stay open
 * meanwhile, and are told after 2 s; an election of the store takes about ten. When nobody has told for a minute, or
 * too much is held, all are closed.
 */
export class LiveGate {
  private readonly parts: LiveGateParts;
  private readonly timer: NodeJS.Timeout;
  private silentLooks = 0;
  private isTold = false;
  private held: { readonly at: number; readonly send: () => void }[] = [];

  constructor(parts: LiveGateParts) {
    this.parts = parts;
    this.timer = setInterval(() => this.look(), lookEveryMs);
  }

  /** Calls `send` now, later or never. */
  pass(send: () => void): void {
    if (this.held.length === 0 && this.parts.feed.isFresh()) return send();
    this.held.push({ at: performance.now(), send });
    if (this.held.length > mostHeld) this.giveUp();
  }

  close(): void {
    clearInterval(this.timer);
    this.held = [];
  }

  private look(): void {
    const { feed } = this.parts;
    const waiting = this.held.findIndex(({ at }) => !feed.isFresh(at));
    for (const { send } of this.held.splice(0, waiting === -1 ? this.held.length : waiting)) send();
    this.silentLooks = feed.isFresh(performance.now() - slowMs) ? 0 : this.silentLooks + 1;
    if (this.silentLooks > 0 && this.silentLooks % mostLooks === 0) this.giveUp();
    this.tell(this.silentLooks >= looksUntilTold || (this.isTold && this.held.length > 0));
  }

  private tell(isHeld: boolean): void {
    if (isHeld === this.isTold) return;
    this.isTold = isHeld;
    this.parts.tellHeld(isHeld);
  }

  private giveUp(): void {
    this.held = [];
    this.parts.closeAll();
  }
}
