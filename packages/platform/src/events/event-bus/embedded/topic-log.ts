import type { EventEnvelope, Topic } from '@parley/protocol';
import type { Mongo, ScopedRows } from '../../../rows/mongo/index.ts';
import { readEnvelope, type ReadEnvelope } from '../envelope.ts';
import { logRows, logScope, topicHeadRows, type LogRow, type TopicHeadRow } from './log.collection.ts';

/** `raw` is kept for malformed records only. */
export type LogRecord = { readonly offset: number; readonly raw: string; readonly read: ReadEnvelope };

/** How a transaction ended. `unknown`: the store didn't answer the commit. */
export type Outcome = 'committed' | 'aborted' | 'unknown';
/** The records that one run of a transaction inserts, with their offsets. */
export type Stretch = { readonly rows: readonly LogRow[]; outcome: Outcome | null };

const tailLength = 1024;

/**
 * Assigns the offsets of one topic and reads its records. A transaction takes offsets before it inserts records, and
 * reports its end. Readers get records below the lowest open offset; offsets of an aborted transaction stay empty. The
 * newest records are also in memory, so that live groups read nothing from the store.
 */
export class TopicLog {
  private readonly rows: ScopedRows<LogRow>;
  private readonly heads: ScopedRows<TopicHeadRow>;
  private tail: LogRecord[] = [];
  /** `tail` has all records above this offset. */
  private tailFrom = 0;
  /** Stretches whose transactions haven't ended, and stretches that wait for these, in the order of their offsets. */
  private open: Stretch[] = [];
  private lastTaken = 0;
  private savedHead = 0;
  /** The offset of the newest record that can be read. */
  head = 0;

  private constructor(
    readonly topic: Topic,
    mongo: Mongo,
    private readonly onAppend: (records: readonly LogRecord[]) => void,
  ) {
    this.rows = mongo.rows(logRows).within(logScope);
    this.heads = mongo.rows(topicHeadRows).within(logScope);
  }

  /** Opens a topic's log. Offsets that were open at a kill are assigned again, because no reader has passed them. */
  static async open(topic: Topic, mongo: Mongo, onAppend: TopicLog['onAppend']): Promise<TopicLog> {
    const log = new TopicLog(topic, mongo, onAppend);
    const [newest] = await log.newest(1);
    log.savedHead = (await log.heads.findById(topic))?.head ?? 0;
    log.head = Math.max(newest?.offset ?? 0, log.savedHead);
    log.tailFrom = log.head;
    log.lastTaken = log.head;
    return log;
  }

  /** Takes the next offsets. The caller must end the stretch, because readers wait for it. */
  take(events: readonly EventEnvelope[]): Stretch {
    const at = new Date();
    const rows = events.map((event) => {
      this.lastTaken += 1;
      return {
        _id: `${this.topic}|${this.lastTaken}`,
        topic: this.topic,
        offset: this.lastTaken,
        eventId: event.id,
        envelope: JSON.stringify(event),
        at,
      };
    });
    const stretch = { rows, outcome: null };
    this.open.push(stretch);
    return stretch;
  }

  /** Makes records readable once no transaction with lower offsets is open. */
  end(stretch: Stretch, outcome: Outcome): void {
    stretch.outcome = outcome;
    const open = this.open.findIndex((each) => each.outcome !== 'committed' && each.outcome !== 'aborted');
    const ended = this.open.splice(0, open === -1 ? this.open.length : open);
    const committed = ended.filter((each) => each.outcome === 'committed').flatMap(({ rows }) => rows);
    const records = committed.map(toRecord);
    for (const record of records) this.remember(record);
    if (records.length > 0) this.onAppend(records);
  }

  /** Asks the store how unknown transactions ended, by a write, which runs after a commit that is under way. */
  async findOut(): Promise<void> {
    for (const stretch of this.open.filter(({ outcome }) => outcome === 'unknown')) {
      const { topic, offset, at } = stretch.rows[0]!;
      const isThere = await this.rows.update({ topic, offset }, { $set: { at } });
      this.end(stretch, isThere ? 'committed' : 'aborted');
    }
  }

  /** Reads from the store from now on instead of from memory, because someone else wrote to the topic. */
  forget(): void {
    this.tail = [];
    this.tailFrom = this.lastTaken;
  }

  private remember(record: LogRecord): void {
    this.tail.push(record);
    this.head = record.offset;
    if (this.tail.length < 2 * tailLength) return;
    this.tailFrom = this.tail.at(-tailLength - 1)!.offset;
    this.tail = this.tail.slice(-tailLength);
  }

  /** Returns records above the offset, ascending. */
  async read(after: number, limit: number): Promise<LogRecord[]> {
    if (after >= this.head) return [];
    if (after >= this.tailFrom) {
      const first = this.tail.findLastIndex(({ offset }) => offset <= after) + 1;
      return this.tail.slice(first, first + limit);
    }
    const rows = await this.rows.find(
      { topic: this.topic, offset: { $gt: after, $lte: this.head } },
      { sort: { topic: 1, offset: 1 }, limit },
    );
    return rows.map(toRecord);
  }

  async newestIds(): Promise<ReadonlySet<string>> {
    return new Set((await this.newest(tailLength)).map(({ eventId }) => eventId));
  }

  /** Stores the head, so that offsets keep rising after retention has emptied the topic. */
  async saveHead(): Promise<void> {
    if (this.head === this.savedHead) return;
    const head = this.head;
    await this.heads.upsert({ _id: this.topic }, { $set: { head } });
    this.savedHead = head;
  }

  private newest(limit: number): Promise<Pick<LogRow, '_id' | 'offset' | 'eventId'>[]> {
    const order = { sort: { topic: -1, offset: -1 }, limit } as const;
    return this.rows.find({ topic: this.topic }, { ...order, fields: ['offset', 'eventId'] });
  }
}

function toRecord(row: Pick<LogRow, 'offset' | 'envelope'>): LogRecord {
  const read = readEnvelope(row.envelope);
  return { offset: row.offset, raw: 'event' in read ? '' : row.envelope, read };
}
