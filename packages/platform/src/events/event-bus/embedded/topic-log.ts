import type { EventEnvelope, Topic } from '@parley/protocol';
import type { Mongo, Rows } from '../../../rows/mongo/index.ts';
import { readEnvelope, type ReadEnvelope } from '../envelope.ts';
import { logRows, logScope, topicHeadRows, type LogRow } from './log.collection.ts';

/** `raw` is kept of malformed records only. */
export type LogRecord = { readonly offset: number; readonly raw: string; readonly read: ReadEnvelope };
type Append = { events: readonly EventEnvelope[]; resolve: () => void; reject: (error: unknown) => void };

const tailLength = 1024;
const largestInsert = 1000;

/**
 * One topic: contiguous offsets, one writer, the newest records also in memory so that live groups read nothing from
 * the store. An event id among the newest records is not appended again: what a relay repeats after a crash stays one
 * record.
 */
export class TopicLog {
  private readonly rows: Rows<typeof logRows>;
  private readonly heads: Rows<typeof topicHeadRows>;
  private tail: LogRecord[] = [];
  private recentIds = new Set<string>();
  private queue: Append[] = [];
  private writing: Promise<void> | null = null;
  private savedHead = 0;
  head = 0;

  private constructor(
    readonly topic: Topic,
    mongo: Mongo,
    private readonly onAppend: () => void,
  ) {
    this.rows = mongo.rows(logRows);
    this.heads = mongo.rows(topicHeadRows);
  }

  static async open(topic: Topic, mongo: Mongo, onAppend: () => void): Promise<TopicLog> {
    const log = new TopicLog(topic, mongo, onAppend);
    await log.load();
    return log;
  }

  private async load(): Promise<void> {
    const newest = await this.rows
      .within(logScope)
      .find(
        { topic: this.topic },
        { sort: { topic: -1, offset: -1 }, limit: tailLength, fields: ['offset', 'eventId'] },
      );
    const kept = await this.heads.within(logScope).findById(this.topic);
    this.savedHead = kept?.head ?? 0;
    this.head = Math.max(newest[0]?.offset ?? 0, this.savedHead);
    this.recentIds = new Set(newest.reverse().map((row) => row.eventId));
    this.tail = [];
  }

  /** Resolves when durable. Appends that arrive during a write go out together in the next one. */
  append(events: readonly EventEnvelope[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ events, resolve, reject });
      this.writing ??= this.writeAll().finally(() => {
        this.writing = null;
      });
    });
  }

  private async writeAll(): Promise<void> {
    while (this.queue.length > 0) {
      const appends = this.takeAppends();
      try {
        await this.write(appends.flatMap((append) => append.events));
        for (const append of appends) append.resolve();
      } catch (error) {
        await this.load().catch(() => undefined);
        for (const append of appends) append.reject(error);
      }
    }
  }

  private takeAppends(): Append[] {
    let size = 0;
    const end = this.queue.findIndex((append) => {
      size += append.events.length;
      return size > largestInsert;
    });
    return this.queue.splice(0, end === -1 ? this.queue.length : Math.max(1, end));
  }

  private async write(events: readonly EventEnvelope[]): Promise<void> {
    const at = new Date();
    const rows: LogRow[] = [];
    const ids = new Set<string>();
    for (const event of events) {
      // A relay that died repeats what it had published. A snapshot repeats on purpose.
      const isRepeated = this.recentIds.has(event.id) || ids.has(event.id);
      if (isRepeated && !event.snapshot) continue;
      ids.add(event.id);
      const offset = this.head + rows.length + 1;
      rows.push({
        _id: `${this.topic}|${offset}`,
        topic: this.topic,
        offset,
        eventId: event.id,
        envelope: JSON.stringify(event),
        at,
      });
    }
    if (rows.length === 0) return;
    await this.rows.within(logScope).insertMany(rows);
    this.head += rows.length;
    for (const row of rows) this.remember(row);
    this.onAppend();
  }

  private remember(row: LogRow): void {
    this.tail.push(toRecord(row));
    if (this.tail.length >= 2 * tailLength) this.tail = this.tail.slice(-tailLength);
    this.recentIds.add(row.eventId);
    if (this.recentIds.size > 4 * tailLength) this.recentIds = new Set([...this.recentIds].slice(-2 * tailLength));
  }

  /** Records above the offset, ascending. */
  async read(after: number, limit: number): Promise<LogRecord[]> {
    if (after >= this.head) return [];
    const first = this.tail[0];
    if (first && after + 1 >= first.offset)
      return this.tail.slice(after + 1 - first.offset, after + 1 - first.offset + limit);
    const rows = await this.rows
      .within(logScope)
      .find({ topic: this.topic, offset: { $gt: after } }, { sort: { topic: 1, offset: 1 }, limit });
    return rows.map(toRecord);
  }

  /** Keeps the head, so that offsets go on rising when retention has emptied the topic. */
  async saveHead(): Promise<void> {
    if (this.head === this.savedHead) return;
    const head = this.head;
    await this.heads.within(logScope).upsert({ _id: this.topic }, { $set: { head } });
    this.savedHead = head;
  }

  async close(): Promise<void> {
    await this.writing;
    await this.saveHead();
  }
}

function toRecord(row: Pick<LogRow, 'offset' | 'envelope'>): LogRecord {
  const read = readEnvelope(row.envelope);
  return { offset: row.offset, raw: 'event' in read ? '' : row.envelope, read };
}
