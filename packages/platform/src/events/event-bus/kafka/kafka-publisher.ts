import type { EventEnvelope, Topic } from '@parley/protocol';
import { Partitioners, type Message, type Producer } from 'kafkajs';
import { kafkaClientOf, type KafkaConnection } from './kafka-client.ts';
import { explain } from './kafka-failures.ts';
import { sizeOf, toRecord } from './records.ts';

type Part = { readonly topic: string; readonly records: readonly Message[]; readonly bytes: number };
type Waiting = Part & { readonly resolve: () => void; readonly reject: (error: unknown) => void };

const mostRecords = 500;
const mostBytes = 512 * 1024;

/**
 * Sends records with one request under way: records that arrive meanwhile go together into the next. Idempotent
 * producers of kafkajs lose records if two sends overlap (its issue 1005).
 */
export class KafkaPublisher {
  private producer: Producer | null = null;
  private queue: Waiting[] = [];
  private sending: Promise<void> | null = null;
  private isClosed = false;

  constructor(
    private readonly connection: KafkaConnection,
    private readonly nameOf: (topic: Topic) => string,
  ) {}

  /** Connects, so that the first event needn't wait for the connection. */
  async open(): Promise<void> {
    this.producer = await this.connect();
  }

  /**
   * Resolves when all in-sync replicas have the events. Rejects if a send failed for some seconds; some events can have
   * been appended then.
   */
  async publish(topic: Topic, events: readonly EventEnvelope[]): Promise<void> {
    if (this.isClosed) throw new Error('The event bus is closed.');
    for (const part of partsOf(this.nameOf(topic), events.map(toRecord))) await this.send(part);
  }

  /** Sends the waiting events, then disconnects. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.sending;
    await this.producer?.disconnect();
    this.producer = null;
  }

  private send(part: Part): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ ...part, resolve, reject });
      this.sending ??= this.sendAll().finally(() => {
        this.sending = null;
      });
    });
  }

  private async sendAll(): Promise<void> {
    // Waits, so that everything that is published in this turn shares the first request.
    await Promise.resolve();
    while (this.queue.length > 0) {
      const taken = this.take();
      try {
        this.producer ??= await this.connect();
        await this.producer.sendBatch({
          acks: -1,
          topicMessages: taken.map(({ topic, records }) => ({ topic, messages: [...records] })),
        });
        for (const part of taken) part.resolve();
      } catch (error) {
        await this.discardProducer();
        for (const part of taken) part.reject(explain(error, [part.topic]));
      }
    }
  }

  private take(): Waiting[] {
    let [records, bytes] = [0, 0];
    const end = this.queue.findIndex((part) => {
      records += part.records.length;
      bytes += part.bytes;
      return records > mostRecords || bytes > mostBytes;
    });
    return this.queue.splice(0, end === -1 ? this.queue.length : Math.max(1, end));
  }

  /**
   * Replaces the producer after a failed send. The records may have been appended, so their sequence numbers can be
   * taken: other records with the same numbers would be acknowledged as duplicates and dropped. A new producer starts
   * its own numbers.
   */
  private async discardProducer(): Promise<void> {
    const { producer } = this;
    this.producer = null;
    await producer
      ?.disconnect()
      .catch((error: unknown) => this.connection.logger.debug({ err: error }, 'a failed producer did not disconnect'));
  }

  private async connect(): Promise<Producer> {
    const producer = kafkaClientOf(this.connection).producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      metadataMaxAge: 60_000,
    });
    await producer.connect();
    return producer;
  }
}

function partsOf(topic: string, records: readonly Message[]): Part[] {
  const parts: { topic: string; records: Message[]; bytes: number }[] = [];
  for (const record of records) {
    const [size, last] = [sizeOf(record), parts.at(-1)];
    if (last && last.records.length < mostRecords && last.bytes + size <= mostBytes) {
      last.records.push(record);
      last.bytes += size;
    } else parts.push({ topic, records: [record], bytes: size });
  }
  return parts;
}
