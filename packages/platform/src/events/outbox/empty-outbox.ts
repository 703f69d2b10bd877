import type { EventEnvelope } from '@parley/protocol';
import { jobScope, type Mongo } from '../../rows/mongo/index.ts';
import type { LocalLog } from '../event-bus/local-log.ts';
import { outboxRows, type OutboxRow } from './outbox.collection.ts';

const scope = jobScope('moves recorded events into the log');
/** Limits the rows of one transaction, which appends them to the log and deletes them from the outbox. */
const pageSize = 200;

/**
 * Moves the outbox into the log, each event once and in order, before the service records more. It has events that an
 * operator's command or a data migration recorded without a log, and events that 0.3.0 hadn't published.
 */
export async function emptyOutbox(mongo: Mongo, log: LocalLog): Promise<void> {
  const outbox = mongo.rows(outboxRows);
  const [first] = await outbox.within(scope).find({ published: false }, { limit: 1 });
  if (!first) return;
  // Reads the log's newest ids, because a 0.3.0 process can have been killed between publishing a row and deleting it.
  const known = await log.newestIds(first.topic);
  const isNew = ({ event }: { readonly event: EventEnvelope }): boolean =>
    event.snapshot === true || !known.has(event.id);
  for (let isMore = true; isMore;)
    isMore = await log.transaction(mongo, async (tx) => {
      const own = outbox.within(scope, tx);
      const order = { sort: { published: 1, subject: 1, sequence: 1 }, limit: pageSize } as const;
      const page = await own.find({ published: false }, order);
      if (page.length === 0) return false;
      await tx.append(page.map(toLogged).filter(isNew));
      await own.deleteMany({ _id: { $in: page.map(({ _id }) => _id) } });
      return page.length === pageSize;
    });
}

const toLogged = ({ topic, envelope }: OutboxRow) => ({ topic, event: JSON.parse(envelope) as EventEnvelope });
