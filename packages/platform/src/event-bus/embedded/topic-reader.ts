import { setTimeout as wait } from 'node:timers/promises';
import type { Model } from 'mongoose';
import type { Logger } from '../../logging/index.ts';
import type { EventBatch, Subscription } from '../event-bus.ts';
import type { GroupOffsetRow } from './log.schema.ts';
import type { LogRecord, TopicLog } from './topic-log.ts';

export type ReaderOptions = {
  readonly log: TopicLog;
  readonly subscription: Subscription;
  readonly offsets: Model<GroupOffsetRow>;
  readonly logger: Logger;
  /** First pause before a batch is delivered again; doubles up to 5 s. */
  readonly redeliveryMs: number;
};

/** Offsets are written this long after a batch at the latest: batches in between share one write. */
const offsetDelayMs = 25;

/** Walks one group through one topic, batch by batch. */
export class TopicReader {
  private position = 0;
  private savedPosition = 0;
  private running: Promise<void> = Promise.resolve();
  private saving: NodeJS.Timeout | null = null;
  private saveInHand: Promise<void> = Promise.resolve();
  private wakeUp: (() => void) | null = null;
  private readonly stop = new AbortController();

  constructor(private readonly options: ReaderOptions) {}

  private get offsetId(): string {
    return `${this.options.subscription.group}|${this.options.log.topic}`;
  }

  async start(): Promise<void> {
    const { subscription, log, offsets } = this.options;
    if (subscription.kind === 'watch') this.position = log.head;
    else this.position = (await offsets.findById(this.offsetId).lean())?.offset ?? 0;
    this.savedPosition = this.position;
    this.running = this.run();
  }

  wake(): void {
    this.wakeUp?.();
  }

  lag(): number {
    return Math.max(0, this.options.log.head - this.position);
  }

  async close(): Promise<void> {
    this.stop.abort();
    this.wake();
    await this.running;
    if (this.saving) clearTimeout(this.saving);
    await this.saveInHand;
    await this.savePosition();
  }

  private async run(): Promise<void> {
    const { log, subscription, logger, redeliveryMs } = this.options;
    let pauseMs = redeliveryMs;
    while (!this.stop.signal.aborted) {
      try {
        const records = await log.read(this.position, subscription.batchSize);
        const last = records.at(-1);
        if (!last) {
          await this.sleepUntilWoken();
          continue;
        }
        if (await this.deliverUntilTaken(records)) this.advance(last.offset);
        pauseMs = redeliveryMs;
      } catch (error) {
        logger.error({ err: error, group: subscription.group, topic: log.topic }, 'reading the event log failed; trying again');
        await this.pause(pauseMs);
        pauseMs = Math.min(5_000, pauseMs * 2);
      }
    }
  }

  /** False when the group was closed before the batch was taken. */
  private async deliverUntilTaken(records: readonly LogRecord[]): Promise<boolean> {
    const { log, subscription, logger, redeliveryMs } = this.options;
    const batch = toBatch(log, records);
    for (let pauseMs = redeliveryMs; !this.stop.signal.aborted; pauseMs = Math.min(5_000, pauseMs * 2)) {
      try {
        await subscription.deliver(batch);
        return true;
      } catch (error) {
        logger.warn({ err: error, group: subscription.group, topic: log.topic, offset: batch.lastOffset }, 'a batch of events was not taken; delivering it again');
        await this.pause(pauseMs);
      }
    }
    return false;
  }

  private advance(offset: number): void {
    this.position = offset;
    if (this.options.subscription.kind === 'watch' || this.saving) return;
    this.saving = setTimeout(() => {
      this.saving = null;
      this.saveInHand = this.saveInHand.then(() => this.savePosition());
    }, offsetDelayMs);
  }

  private async savePosition(): Promise<void> {
    if (this.options.subscription.kind === 'watch' || this.position === this.savedPosition) return;
    const offset = this.position;
    try {
      await this.options.offsets.updateOne({ _id: this.offsetId }, { $set: { offset } }, { upsert: true });
      this.savedPosition = offset;
    } catch (error) {
      this.options.logger.warn({ err: error, group: this.options.subscription.group }, 'the offset was not kept; its events come again after a restart');
    }
  }

  private sleepUntilWoken(): Promise<void> {
    if (this.stop.signal.aborted || this.lag() > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.wakeUp = () => { this.wakeUp = null; resolve(); };
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
