import type { Topic } from '@parley/protocol';
import type { Failpoint } from '../../../base/failpoint.ts';
import { isDuplicateKey, type Mongo, type Rows } from '../../../rows/mongo/index.ts';
import type { EventTransaction, LoggedEvent } from '../local-log.ts';
import { logRows, logScope } from './log.collection.ts';
import type { Outcome, Stretch, TopicLog } from './topic-log.ts';

export type LogTransactionParts = {
  /** Runs the transaction. */
  readonly mongo: Mongo;
  /** The log, in the same store. */
  readonly logMongo: Mongo;
  readonly logOf: (topic: Topic) => Promise<TopicLog>;
  readonly failpoint: Failpoint;
};

/** Runs a transaction that adds events to topics. */
export async function logTransaction<Result>(
  parts: LogTransactionParts,
  run: (tx: EventTransaction) => Promise<Result>,
): Promise<Result> {
  const added = new AddedEvents(parts);
  let isWhole = false;
  try {
    const result = await parts.mongo.transaction(async (session) => {
      // An earlier run met a write conflict: the offsets that it took stay empty.
      added.endAs('aborted');
      isWhole = false;
      const done = await run({ session, append: (events) => added.add(events, session) });
      await session.sendHeld();
      isWhole = true;
      return done;
    });
    added.endAs('committed');
    return result;
  } catch (error) {
    if (isDuplicateKey(error)) added.forgetTails();
    // A run that threw wasn't committed. If it completed, the commit may have succeeded without a response.
    added.endAs(isWhole ? 'unknown' : 'aborted');
    throw error;
  }
}

/** Adds events in one run of a transaction, then reports its outcome to the logs of their topics. */
class AddedEvents {
  private readonly records: Rows<typeof logRows>;
  private added: { readonly log: TopicLog; readonly stretch: Stretch }[] = [];

  constructor(private readonly parts: LogTransactionParts) {
    this.records = parts.mongo.rowsOf(parts.logMongo, logRows);
  }

  async add(events: readonly LoggedEvent[], session: EventTransaction['session']): Promise<void> {
    const { logOf, failpoint } = this.parts;
    for (const [topic, some] of Map.groupBy(events, (each) => each.topic)) {
      const log = await logOf(topic);
      const stretch = log.take(some.map(({ event }) => event));
      this.added.push({ log, stretch });
      await this.records.within(logScope, { session }).later.insertMany(stretch.rows);
    }
    await failpoint('logged-not-committed');
  }

  endAs(outcome: Outcome): void {
    for (const { log, stretch } of this.added) log.end(stretch, outcome);
    this.added = [];
  }

  forgetTails(): void {
    for (const { log } of this.added) log.forget();
  }
}
