import type { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../../base/logging/index.ts';

/** Limits a blocking read, which would otherwise wait for an entry of the control stream that Redis has lost. */
const blockMs = 2_000;
const awayMs = 50;
const failureMs = 1_000;
/** The control stream of a dead process expires after this time. */
const controlKeptMs = 3_600_000;

type Parts = {
  readonly commands: Redis;
  readonly blocking: Redis;
  readonly logger: Logger;
  /** Begins the key of the stream of each name. */
  readonly prefix: string;
};
/**
 * `since`: when the first listener of a name came; `cursor`: the last ring that was read, null before the first read.
 */
type Heard = { readonly since: number; listeners: number; cursor: string | null };

/**
 * Reads the rings of all names with one blocking command on its own connection. Among them is a control stream of this
 * reader only: writing to it ends the blocking read, so that a new name is heard immediately.
 */
export class RingReader {
  /** Called with the name of a ring and its senders. */
  onRing: (name: string, origins: readonly string[]) => void = () => undefined;
  private readonly names = new Map<string, Heard>();
  private readonly control = `parley:bell-control:${randomUUID()}`;
  private controlCursor = '0-0';
  private calls = 0;
  private isCalling = false;
  private isClosed = false;
  private reading: Promise<void> | null = null;

  constructor(private readonly parts: Parts) {
    parts.commands.on('ready', () => this.call());
  }

  /** Listens to the name from now on. Returns a function that stops listening, once. */
  listen(name: string): () => void {
    const heard = this.names.get(name) ?? { since: performance.now(), listeners: 0, cursor: null };
    heard.listeners += 1;
    this.names.set(name, heard);
    if (this.reading) this.call();
    else this.reading = this.readOn();
    let isStopped = false;
    return () => {
      if (isStopped) return;
      isStopped = true;
      heard.listeners -= 1;
      if (heard.listeners === 0) this.names.delete(name);
    };
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.parts.blocking.disconnect();
    await this.reading;
  }

  /** Ends the blocking read, once for all calls in one turn of the event loop. */
  private call(): void {
    if (this.isCalling || this.isClosed) return;
    this.isCalling = true;
    setImmediate(() => {
      this.isCalling = false;
      this.calls += 1;
      this.parts.commands
        .pipeline()
        .xadd(this.control, 'MAXLEN', 1, `${this.calls}-0`, 'c', '')
        .pexpire(this.control, controlKeptMs)
        .exec()
        .catch(() => undefined);
    });
  }

  private async readOn(): Promise<void> {
    while (!this.isClosed && this.names.size > 0) {
      try {
        await this.beginNew();
        await this.readOnce();
      } catch (error) {
        if (this.isClosed) return;
        const isAway = this.parts.blocking.status !== 'ready';
        if (!isAway) this.parts.logger.warn({ err: error }, 'reading rings failed');
        await wait(isAway ? awayMs : failureMs);
      }
    }
    this.reading = null;
  }

  /**
   * Starts to listen to new names, each from its last ring on. This ring counts too if it can have come after the
   * listener.
   */
  private async beginNew(): Promise<void> {
    const fresh = [...this.names].filter(([, { cursor }]) => cursor === null);
    if (fresh.length === 0) return;
    const pipeline = this.parts.blocking.pipeline().time();
    for (const [name] of fresh) pipeline.xrevrange(this.parts.prefix + name, '+', '-', 'COUNT', 1);
    const [time, ...last] = (await pipeline.exec()) ?? [];
    const [seconds, micros] = answerOf(time) as [string, string];
    const now = Number(seconds) * 1_000 + Number(micros) / 1_000;
    for (const [at, [name, heard]] of fresh.entries()) {
      const [entry] = answerOf(last[at]) as [string, string[]][];
      heard.cursor = entry?.[0] ?? '0-0';
      const isMissed = Number.parseInt(heard.cursor, 10) >= now - (performance.now() - heard.since);
      if (entry && isMissed) this.onRing(name, [entry[1][1] ?? '']);
    }
  }

  private async readOnce(): Promise<void> {
    const { prefix, blocking } = this.parts;
    const known = [...this.names].flatMap(([name, { cursor }]) => (cursor === null ? [] : [{ name, cursor }]));
    const keys = [this.control, ...known.map(({ name }) => prefix + name)];
    const cursors = [this.controlCursor, ...known.map(({ cursor }) => cursor)];
    const read = await blocking.xread('BLOCK', blockMs, 'STREAMS', ...keys, ...cursors);
    for (const [key, entries] of read ?? []) {
      const last = entries.at(-1)![0];
      if (key === this.control) this.controlCursor = last;
      else this.deliver(key.slice(prefix.length), { last, origins: entries.map(([, fields]) => fields[1] ?? '') });
    }
  }

  private deliver(name: string, { last, origins }: { last: string; origins: readonly string[] }): void {
    const heard = this.names.get(name);
    if (!heard) return;
    heard.cursor = last;
    this.onRing(name, origins);
  }
}

function answerOf([error, answer]: [Error | null, unknown] = [null, null]): unknown {
  if (error) throw error;
  return answer;
}
