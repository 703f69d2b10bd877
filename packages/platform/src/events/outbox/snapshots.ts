import type { DataOf, EventDefinition } from '@parley/protocol';
import type { Outbox } from './outbox.ts';
import type { Mongo } from '../../rows/mongo/index.ts';
import type { Origin, Recorded } from './outbox.ts';

const batchSize = 200;

/**
 * Records a snapshot: an event with the present state of something that the service owns. Snapshots are written in
 * batches, so only a few are in memory.
 */
export type RecordSnapshot = <Definition extends EventDefinition>(
  definition: Definition,
  data: DataOf<Definition>,
  /** `sequence`: the last number, for an aggregate that numbers its own events. */
  options?: { readonly sequence?: number },
) => Promise<void>;

/**
 * Calls `tell` to record what a service owns, and publishes it under the ids of the first publication. Consumers that
 * handled those events ignore them; new consumers, or consumers that lost everything, get them once. Returns the number
 * of events.
 */
export async function writeSnapshots(
  { mongo, outbox, origin }: { readonly mongo: Mongo; readonly outbox: Outbox; readonly origin: Origin },
  tell: (record: RecordSnapshot) => Promise<void>,
): Promise<number> {
  let waiting: Recorded[] = [];
  let written = 0;
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    written += await mongo.transaction((session) => outbox.writeAgain(batch, session));
  };
  await tell(async (definition, data, { sequence } = {}) => {
    const checked = definition.data.parse(data) as Recorded['data'];
    waiting.push({ definition, data: checked, sequence, origin });
    if (waiting.length >= batchSize) await flush();
  });
  if (waiting.length > 0) await flush();
  return written;
}
