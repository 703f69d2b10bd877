import { topics } from '@parley/contracts';
import type { RunningParley } from '@parley/embedded';
import { eventually } from '@parley/testing';
import { expect } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';

type Record = { readonly offset: number; readonly topic: string; readonly envelope: string };
const newestFirst = { sort: { offset: -1 } } as const;

/** The log of events of a running Parley, and whether everybody has dealt with it. */
export class EventLog {
  private constructor(
    private readonly log: Connection,
    private readonly publishers: readonly Connection[],
  ) {}

  static async of(parley: RunningParley): Promise<EventLog> {
    const open = (name: string) => mongoose.createConnection(parley.internals.storeUri(name)).asPromise();
    const publishers = await Promise.all(
      Object.keys(parley.internals.services).map((service) => open(`parley_${service}`)),
    );
    return new EventLog(await open('parley_events'), publishers);
  }

  /** Waits until every event is published and every group of consumers is at the end of the log. */
  async settled(): Promise<void> {
    await eventually(async () => {
      const before = await this.heads();
      for (const { db } of this.publishers)
        expect(await db!.collection('outbox').countDocuments({ published: false })).toBe(0);
      const groups = await this.log.collection<{ _id: string; offset: number }>('group_offsets').find().toArray();
      const behind = groups.filter(({ _id, offset }) => offset < (before.get(_id.split('|')[1] ?? '') ?? 0));
      expect(behind.map(({ _id }) => _id)).toEqual([]);
      expect(await this.heads()).toEqual(before);
    }, 'every consumer should have handled every event');
  }

  /** Returns the offset of each topic's newest event, from the events: rows of `topic_heads` are up to 10 s old. */
  async heads(): Promise<Map<string, number>> {
    const newest = (topic: string) => this.log.collection<Record>('records').findOne({ topic }, newestFirst);
    const heads = Object.values(topics).map(async (topic) => [topic, (await newest(topic))?.offset ?? 0] as const);
    return new Map(await Promise.all(heads));
  }

  /** The types of the events that came after these heads. */
  async typesSince(heads: ReadonlyMap<string, number>): Promise<string[]> {
    const log = this.log.collection<Record>('records');
    const since = (topic: string) => log.find({ topic, offset: { $gt: heads.get(topic) ?? 0 } }).toArray();
    const records = (await Promise.all(Object.values(topics).map(since))).flat();
    return records.map(({ envelope }) => (JSON.parse(envelope) as { type: string }).type);
  }

  async close(): Promise<void> {
    await Promise.all([this.log, ...this.publishers].map((connection) => connection.close()));
  }
}
