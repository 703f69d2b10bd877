import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { eventsBell } from '@parley/contracts';
import { every } from '@parley/platform/every';
import { Platform } from '@parley/platform/service';
import { Problem, type OrgId } from '@parley/protocol';
import { EventStream } from './event-stream.ts';

const sweepMs = 1_000;
/** Between two looks while nobody follows: the first reader wakes the next one. */
const restMs = 3_600_000;
/** A ring comes before the commit that it tells of. */
const afterRingMs = 50;

/** An event as it is written to each of its readers. */
export type Piece = { readonly position: number; readonly type: string; readonly text: string };
type Page = { readonly place: number; readonly head: number; readonly pieces: Promise<readonly Piece[]> };
type Watched = { head: number; latest: Page | null; readonly readers: Set<Reader>; readonly stop: () => void };

/** Somebody who follows the stream of an organisation. */
export class Reader {
  private woken = Promise.withResolvers<'woken' | 'quiet'>();
  private isOver = false;

  constructor(private readonly watched: Watched) {}

  /** How far the stream has come, as far as is known here. */
  get head(): number {
    return this.watched.head;
  }

  /** It has read so far: the stream has come there, whatever was known. */
  saw(position: number): void {
    this.watched.head = Math.max(this.watched.head, position);
  }

  /** What comes after the place. Nearly all readers of an organisation stand where it ends, and share one look. */
  page(place: number, read: () => Promise<readonly Piece[]>): Promise<readonly Piece[]> {
    const { latest, head } = this.watched;
    if (latest?.place === place && latest.head === head) return latest.pieces;
    const page = { place, head, pieces: read() };
    this.watched.latest = page;
    page.pieces.catch(() => {
      if (this.watched.latest === page) this.watched.latest = null;
    });
    return page.pieces;
  }

  /** The caller is gone, or this process ends. */
  get hasEnded(): boolean {
    return this.isOver;
  }

  /**
   * Waits until the stream has gone beyond the place, or it is woken, also since the last time; true when neither has
   * happened for so long.
   */
  async isQuiet(place: number, mostMs: number): Promise<boolean> {
    if (this.isOver || this.head > place) return false;
    const { promise, resolve } = this.woken;
    const timer = setTimeout(() => resolve('quiet'), mostMs);
    const how = await promise;
    clearTimeout(timer);
    this.woken = Promise.withResolvers();
    return how === 'quiet';
  }

  wake(): void {
    this.woken.resolve('woken');
  }

  /** Its caller comes back. */
  end(): void {
    this.isOver = true;
    this.wake();
  }
}

/** Everybody who follows a stream by this process: woken by rings and by one look a second at all their heads. */
@Injectable()
export class Readers implements OnModuleInit, OnModuleDestroy {
  private readonly watched = new Map<OrgId, Watched>();
  private readonly looking = every('looks how far streams have come', restMs, () => this.look());
  private isClosing = false;

  constructor(
    private readonly stream: EventStream,
    private readonly platform: Platform,
  ) {}

  onModuleInit(): void {
    this.looking.start(this.platform.logger);
    this.platform.metrics.gauge('parley_event_readers', { service: 'monitoring' }, () => this.all().length);
  }

  /** Ends every stream, so that the process can end; readers come back to another one, or to the next. */
  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    for (const reader of this.all()) reader.end();
    await this.looking.stop();
  }

  /** `platform.unavailable` where this process ends. The BFF limits how many there are. */
  join(orgId: OrgId, head: number): Reader {
    if (this.isClosing) throw new Problem('platform.unavailable', { detail: 'This process ends. Try again at once.' });
    const watched = this.watched.get(orgId) ?? this.watch(orgId, head);
    watched.head = Math.max(watched.head, head);
    const reader = new Reader(watched);
    watched.readers.add(reader);
    return reader;
  }

  leave(orgId: OrgId, reader: Reader): void {
    reader.end();
    const watched = this.watched.get(orgId);
    if (!watched?.readers.delete(reader) || watched.readers.size > 0) return;
    watched.stop();
    this.watched.delete(orgId);
  }

  private all(): Reader[] {
    return [...this.watched.values()].flatMap(({ readers }) => [...readers]).filter(({ hasEnded }) => !hasEnded);
  }

  private watch(orgId: OrgId, head: number): Watched {
    const readers = new Set<Reader>();
    const stops = [
      this.platform.doorbell.on(eventsBell(orgId), () => this.looking.wake(afterRingMs)),
      this.platform.revocations.onRevoked(() => readers.forEach((reader) => reader.wake())),
    ];
    const watched = { head, latest: null, readers, stop: () => stops.forEach((stop) => stop()) };
    this.watched.set(orgId, watched);
    this.looking.wake(sweepMs);
    return watched;
  }

  private async look(): Promise<void> {
    if (this.watched.size === 0) return;
    this.looking.wake(sweepMs);
    const heads = await this.stream.headsOf([...this.watched.keys()]);
    for (const [orgId, head] of heads) {
      const watched = this.watched.get(orgId);
      if (!watched || head <= watched.head) continue;
      watched.head = head;
      for (const reader of watched.readers) reader.wake();
    }
  }
}
