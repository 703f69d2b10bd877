import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../../base/logging/index.ts';
import { giveWay } from '../../../base/give-way.ts';
import type { EventBatch, Subscription } from '../event-bus.ts';
import type { GroupOffsets } from './group-offsets.ts';
import type { LogRecord, TopicLog } from './topic-log.ts';

export type ReaderOptions = {
  readonly log: TopicLog;
  readonly subscription: Subscription;
  readonly offsets: GroupOffsets;
  readonly logger: Logger;
  /** Resolves when earlier members of the group have left: a partition serves one member at a time. */
  readonly turn: Promise<void>;
  /** First pause before a batch is delivered again; doubles up to 5 s. */
  readonly redeliveryMs: number;
};

/**
 * Waits this long after a wake, so that events committed meanwhile form one batch and the response to their request
 * goes first.
 */
const gatherMs = 5;

/** Reads one topic for one group, batch by batch. */
export class TopicReader {
  private position = 0;
  private running: Promise<void> = Promise.resolve();
  private wakeUp: (() => void) | null = null;
  private readonly stop = new AbortController();
  private readonly stopped = new Promise<void>((resolve) => {
    this.stop.signal.addEventListener('abort', () => resolve(), { once: true });
  });

  constructor(private readonly options: ReaderOptions) {}

  private get offsetId(): string {
    return `${this.options.subscription.group}|${this.options.log.topic}`;
  }

  async start(): Promise<void> {
    await this.findPosition();
    this.running = this.run();
  }

  wake(): void {
    this.wakeUp?.();
  }

  /** Counts records that the group hasn't handled, including offsets that aborted transactions left empty. */
  lag(): number {
    return Math.max(0, this.options.log.head - this.position);
  }

  /** Repeating is harmless. */
  async close(): Promise<void> {
    this.stop.abort();
    this.wake();
    await this.running;
    await this.options.offsets.save();
  }

  private async findPosition(): Promise<void> {
    const { subscription, log, offsets } = this.options;
    this.position = subscription.kind === 'watch' ? log.head : await offsets.find(this.offsetId);
  }

  private async run(): Promise<void> {
    const { log, subscription, logger, redeliveryMs, turn } = this.options;
    let isMember = subscription.kind === 'watch';
    let pauseMs = redeliveryMs;
    while (!this.stop.signal.aborted) {
      try {
        if (!isMember) {
          await Promise.race([turn, this.stopped]);
          await this.findPosition();
          isMember = true;
          continue;
        }
        await this.step();
        pauseMs = redeliveryMs;
      } catch (error) {
        logger.error(
          { err: error, group: subscription.group, topic: log.topic },
          'reading the event log failed; trying again',
        );
        await this.pause(pauseMs);
        pauseMs = Math.min(5_000, pauseMs * 2);
      }
    }
  }

  private async step(): Promise<void> {
    const { log, subscription } = this.options;
    await giveWay();
    const { head } = log;
    const records = await log.read(this.position, subscription.batchSize);
    const last = records.at(-1);
    if (last) {
      if (await this.deliverUntilTaken(records)) this.advance(last.offset);
    } else if (head > this.position) this.advance(head); // Retention has deleted what was between.
    else {
      await this.sleepUntilWoken();
      await this.pause(gatherMs);
    }
  }

  /** Delivers the records until they are taken. Returns false if the group was closed before. */
  private async deliverUntilTaken(records: readonly LogRecord[]): Promise<boolean> {
    const { log, subscription, logger, redeliveryMs } = this.options;
    const batch = toBatch(log, records);
    for (let pauseMs = redeliveryMs; !this.stop.signal.aborted; pauseMs = Math.min(5_000, pauseMs * 2)) {
      try {
        await subscription.deliver(batch);
        return true;
      } catch (error) {
        logger.warn(
          { err: error, group: subscription.group, topic: log.topic, offset: batch.lastOffset },
          'a batch of events was not taken; delivering it again',
        );
        await this.pause(pauseMs);
      }
    }
    return false;
  }

  private advance(offset: number): void {
    this.position = offset;
    const { subscription, offsets } = this.options;
    if (subscription.kind === 'work') offsets.advance(this.offsetId, offset);
  }

  private sleepUntilWoken(): Promise<void> {
    if (this.stop.signal.aborted || this.lag() > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.wakeUp = () => {
        this.wakeUp = null;
        resolve();
      };
    });
  }

  private async pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.stop.signal }).catch(() => undefined);
  }
}

function toBatch(log: TopicLog, records: readonly LogRecord[]): EventBatch {
  const events: EventBatch['events'][number][] = [];
  const malformed: EventBatch['malformed'][number][] = [];
  for (const { offset, raw, read } of records) {
    if ('event' in read) events.push({ offset: String(offset), event: read.event });
    else malformed.push({ offset: String(offset), raw, cause: read.cause });
  }
  return { topic: log.topic, partition: 0, events, malformed, lastOffset: String(records.at(-1)?.offset ?? 0) };
}
