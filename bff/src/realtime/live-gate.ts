import type { RevocationFeed } from '@parley/platform/revocations';

const lookEveryMs = 100;
/** News as old as this, beyond what counts as fresh, is still on its way. */
const slowMs = 1_000;
/** Looks, not time: a pause of the whole process is nobody's silence. */
const looksUntilTold = 10;
/**
 * Bounds what is held, in bytes, and with it how long one look takes that sends all of it: a minute of twenty answers at
 * full speed (25 frames a second).
 */
const mostHeld = 16_000_000;
/** Stands for what a message that is held takes beside its text. */
const messageSize = 500;
/** A character takes two bytes at most. */
const characterSize = 2;

export type LiveGateParts = {
  readonly feed: Pick<RevocationFeed, 'isFresh'>;
  /** While there are sockets, the gate asks the feed again and again, which keeps it polling. */
  readonly hasSockets: () => boolean;
  /**
   * Tells all sockets that nothing is delivered for now, and later that it goes on: then their clients ask for what they
   * lack.
   */
  readonly tellHeld: (isHeld: boolean) => void;
};
type Held = { readonly at: number; readonly size: number; readonly send: () => void };

/**
 * What goes to sockets passes here. While nobody can tell who lost access it is held back, in order, and goes on once
 * revocations are known until a second before it came: people who lost access have been disconnected by then. Sockets
 * stay open meanwhile, and are told after 2 s. Too much to be held is dropped, and sockets are told: their clients ask
 * for what they lack.
 */
export class LiveGate {
  private readonly parts: LiveGateParts;
  /** Runs while there are sockets, or something is held. */
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private silentLooks = 0;
  private isTold = false;
  private held: Held[] = [];
  private size = 0;

  constructor(parts: LiveGateParts) {
    this.parts = parts;
  }

  /** Starts the checks, which run while there are sockets or held messages. Idempotent: call it for each new socket. */
  start(): void {
    if (!this.isClosed) this.timer ??= setInterval(() => this.look(), lookEveryMs);
  }

  /** Calls `send` now, later or never. `text` says how many characters it keeps in memory meanwhile. */
  pass(send: () => void, text = 0): void {
    if (this.isOpen) return send();
    const size = messageSize + text * characterSize;
    this.held.push({ at: performance.now(), size, send });
    this.size += size;
    this.start();
    if (this.size <= mostHeld) return;
    this.forget();
    this.tell(true);
  }

  close(): void {
    this.isClosed = true;
    this.rest();
    this.forget();
  }

  private rest(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.silentLooks = 0;
    this.isTold = false;
  }

  private get isOpen(): boolean {
    return this.held.length === 0 && this.parts.feed.isFresh();
  }

  private forget(): void {
    this.held = [];
    this.size = 0;
  }

  private look(): void {
    const { feed, hasSockets } = this.parts;
    this.goOn();
    if (this.held.length === 0 && !hasSockets()) return this.rest();
    this.silentLooks = feed.isFresh(performance.now() - slowMs) ? 0 : this.silentLooks + 1;
    if (this.isOpen) this.tell(false);
    else if (this.silentLooks >= looksUntilTold) this.tell(true);
  }

  private goOn(): void {
    const waiting = this.held.findIndex(({ at }) => !this.parts.feed.isFresh(at));
    const going = this.held.splice(0, waiting === -1 ? this.held.length : waiting);
    for (const { size, send } of going) {
      this.size -= size;
      send();
    }
  }

  private tell(isHeld: boolean): void {
    if (isHeld === this.isTold) return;
    this.isTold = isHeld;
    this.parts.tellHeld(isHeld);
  }
}
