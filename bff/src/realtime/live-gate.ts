import { folded, type LiveFrame } from '@parley/platform/live-stream';
import type { RevocationFeed } from '@parley/platform/revocations';

const lookEveryMs = 100;
/** News as old as this, beyond what counts as fresh, is still on its way. */
const slowMs = 1_000;
/** Looks, not time: a pause of the whole process is nobody's silence. */
const looksUntilTold = 10;
const mostLooks = 600;
/** No longer, or what is held would never be old enough while news is late all the time. */
const foldMs = 1_000;
/**
 * Bounds the memory of what is held, in characters. A character takes two bytes at most, so this is 64 MB of the 768 that
 * a process has in `k8s/`. Two hundred answers at full speed (25 frames and 320 characters a second) take 23 million in a
 * minute.
 */
const mostHeld = 32_000_000;
/** Stands for what the engine needs for each frame to put two texts together without copying them. */
const frameSize = 64;
/** Stands for any other message, which is about as long. */
const messageSize = 500;

export type LiveGateParts = {
  readonly feed: Pick<RevocationFeed, 'isFresh'>;
  /** While there are sockets, the gate asks the feed again and again, which keeps it polling. */
  readonly hasSockets: () => boolean;
  /**
   * Tells all sockets that nothing is delivered for now, and later that it goes on: then their clients ask for what they
   * lack.
   */
  readonly tellHeld: (isHeld: boolean) => void;
  /** Closes all sockets, in batches; their clients come back and ask for what they lack. */
  readonly closeAll: () => void;
};
type Held = {
  /** When the first and the last of what is folded here came. */
  readonly since: number;
  at: number;
  size: number;
  frame: LiveFrame | null;
  send: () => void;
};

/**
 * What goes to sockets passes here. While nobody can tell who lost access it is held back, in order, and goes on once
 * revocations are known until a second before it came: people who lost access have been disconnected by then. Sockets stay open
 * meanwhile, and are told after 2 s; an election of the store takes about ten. When nobody has told for a minute, all are
 * closed.
 *
 * Messages that are held within a second under one key become one: frames of an answer a frame with all of their text, of
 * any others the last stays. If all of it is still too much for memory, it is dropped and sockets are told: their clients
 * ask for what they lack.
 */
export class LiveGate {
  private readonly parts: LiveGateParts;
  /** Runs while there are sockets, or something is held. */
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;
  private silentLooks = 0;
  private isTold = false;
  private isBehind = false;
  private held: Held[] = [];
  private size = 0;
  /** Remembers what was held last under each key. */
  private readonly latest = new Map<string, Held>();

  constructor(parts: LiveGateParts) {
    this.parts = parts;
  }

  /** Starts the checks, which run while there are sockets or held messages. Idempotent: call it for each new socket. */
  start(): void {
    if (!this.isClosed) this.timer ??= setInterval(() => this.look(), lookEveryMs);
  }

  /** Calls `send` now, later or never; of those that are held within a second under one key only the last. */
  pass(send: () => void, key: string | null = null): void {
    if (this.isOpen) return send();
    const known = this.foldable(key);
    if (known) Object.assign(known, { at: performance.now(), send });
    else this.hold(key, { frame: null, size: messageSize, send });
  }

  /** Like `pass`; those that are held within a second under one key, which is of one stream, are sent as one. */
  passFrame(key: string, frame: LiveFrame, send: (frame: LiveFrame) => void): void {
    if (this.isOpen) return send(frame);
    const known = this.foldable(key);
    if (!known?.frame) return this.hold(key, { frame, size: sizeOf(frame) + frameSize, send: () => send(frame) });
    const whole = folded(known.frame, frame);
    const more = sizeOf(whole) - sizeOf(known.frame) + frameSize;
    Object.assign(known, { at: performance.now(), size: known.size + more, frame: whole, send: () => send(whole) });
    this.grow(more);
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
    this.isBehind = false;
  }

  private get isOpen(): boolean {
    return this.held.length === 0 && this.parts.feed.isFresh();
  }

  private foldable(key: string | null): Held | null {
    const known = key === null ? undefined : this.latest.get(key);
    return known && performance.now() - known.since < foldMs ? known : null;
  }

  private hold(key: string | null, what: Pick<Held, 'size' | 'frame' | 'send'>): void {
    const now = performance.now();
    const held = { ...what, since: now, at: now };
    this.held.push(held);
    this.start();
    if (key !== null) this.latest.set(key, held);
    this.grow(what.size);
  }

  private grow(by: number): void {
    this.size += by;
    if (this.size <= mostHeld) return;
    this.forget();
    this.isBehind = true;
    this.tell(true);
  }

  private forget(): void {
    this.held = [];
    this.size = 0;
    this.latest.clear();
  }

  private look(): void {
    const { feed, hasSockets } = this.parts;
    this.goOn();
    if (this.held.length === 0 && !hasSockets()) return this.rest();
    this.silentLooks = feed.isFresh(performance.now() - slowMs) ? 0 : this.silentLooks + 1;
    if (this.silentLooks > 0 && this.silentLooks % mostLooks === 0) {
      this.forget();
      this.parts.closeAll();
    }
    if (this.isOpen) this.isBehind = false;
    this.tell(this.silentLooks >= looksUntilTold || (this.isTold && this.held.length > 0) || this.isBehind);
  }

  private goOn(): void {
    const waiting = this.held.findIndex(({ at }) => !this.parts.feed.isFresh(at));
    const going = this.held.splice(0, waiting === -1 ? this.held.length : waiting);
    // Messages that come from now on are not folded into those that go now.
    if (going.length > 0) this.latest.clear();
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

const sizeOf = ({ delta, thoughts }: LiveFrame): number => delta.length + (thoughts?.delta.length ?? 0);
