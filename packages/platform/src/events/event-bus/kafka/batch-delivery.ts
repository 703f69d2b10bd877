import type { Topic } from '@parley/protocol';
import type { EachBatchPayload, KafkaMessage } from 'kafkajs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '../../../base/logging/index.ts';
import type { EventBatch, MalformedRecord, RecordedEvent, Subscription } from '../event-bus.ts';
import { isOutOfGroup } from './kafka-failures.ts';
import { readRecord, textOfRecord } from './records.ts';

export type BatchDeliveryOptions = {
  readonly subscription: Subscription;
  /** Returns the topic of a name on the cluster. */
  readonly topicOf: (name: string) => Topic;
  readonly logger: Logger;
  /** First pause before a batch is delivered again; doubles up to 5 s. */
  readonly redeliveryMs: number;
  /** Aborted when the subscription closes. */
  readonly stop: AbortSignal;
  /** Called after each delivered batch with the next offset of the partition. */
  readonly onDelivered: (name: string, partition: number, nextOffset: bigint) => void;
};

/** kafkajs sends a heartbeat only after its interval (1 s), so asking twice as often misses none. */
const pulseMs = 500;

/** Delivers the records that kafkajs fetched, slice by slice, and sends heartbeats meanwhile. */
export class BatchDelivery {
  /** The error for which this member has to join again. Thrown back to kafkajs, which then joins. */
  private lost: Error | null = null;

  constructor(private readonly options: BatchDeliveryOptions) {}

  joined(): void {
    this.lost = null;
  }

  /** Resolves only offsets of delivered events. The rest comes again to the next owner of the partition. */
  async take({
    batch,
    resolveOffset,
    commitOffsetsIfNecessary,
    heartbeat,
    isRunning,
  }: EachBatchPayload): Promise<void> {
    const { subscription, topicOf, onDelivered } = this.options;
    const pulse = setInterval(() => void heartbeat().catch((error: Error) => this.missedBeat(error)), pulseMs);
    try {
      for (let start = 0; start < batch.messages.length && isRunning() && !this.lost; start += subscription.batchSize) {
        const slice = toBatch(
          topicOf(batch.topic),
          batch.partition,
          batch.messages.slice(start, start + subscription.batchSize),
        );
        if (!(await this.deliverUntilTaken(slice))) break;
        resolveOffset(slice.lastOffset);
        onDelivered(batch.topic, batch.partition, BigInt(slice.lastOffset) + 1n);
        await commitOffsetsIfNecessary();
      }
    } finally {
      clearInterval(pulse);
    }
    if (this.lost) throw this.lost;
  }

  /**
   * Delivers the batch until it is taken. Returns false if the subscription closed or the partition was lost before.
   */
  private async deliverUntilTaken(batch: EventBatch): Promise<boolean> {
    const { subscription, logger, redeliveryMs, stop } = this.options;
    for (let pauseMs = redeliveryMs; ; pauseMs = Math.min(5_000, pauseMs * 2)) {
      try {
        await subscription.deliver(batch);
        return true;
      } catch (error) {
        const { topic, partition, lastOffset: offset } = batch;
        logger.warn(
          { err: error, group: subscription.group, topic, partition, offset },
          'a batch of events was not taken; delivering it again',
        );
      }
      await wait(pauseMs, undefined, { signal: stop }).catch(() => undefined);
      if (stop.aborted || this.lost) return false;
    }
  }

  /** Notes that the coordinator ended the membership. Other failed heartbeats (a silent broker) are left to kafkajs. */
  private missedBeat(error: Error): void {
    if (isOutOfGroup(error)) this.lost = error;
    else this.options.logger.debug({ err: error, group: this.options.subscription.group }, 'a heartbeat failed');
  }
}

function toBatch(topic: Topic, partition: number, messages: readonly KafkaMessage[]): EventBatch {
  const events: RecordedEvent[] = [];
  const malformed: MalformedRecord[] = [];
  for (const message of messages) {
    const read = readRecord(message);
    if ('event' in read) events.push({ offset: message.offset, event: read.event });
    else malformed.push({ offset: message.offset, raw: textOfRecord(message), cause: read.cause });
  }
  return { topic, partition, events, malformed, lastOffset: messages.at(-1)!.offset };
}
