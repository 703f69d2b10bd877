import type { DataOf, EventDefinition } from '@parley/protocol';
import type { Outbox } from './outbox.ts';
import type { Mongo } from '../../rows/mongo/index.ts';
import type { Origin, Recorded } from './outbox.ts';

const batchSize = 200;

/** Records a thing as it is by now. Some are written at a time, so only a few are in memory. */
export type RecordSnapshot = <Definition extends EventDefinition>(
  definition: Definition,
  data: DataOf<Definition>,
  /** `sequence`: the last number of an aggregate that counts by itself. */
  options?: { readonly sequence?: number },
) => Promise<void>;

/**
 * Has `tell` record what a service owns, and publishes it under the ids of the first publication: consumers that
 * handled it ignore it, and new ones, or those that lost everything, get it once. Returns the number of events.
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
