import type { DataOf, EventDefinition } from '@parley/protocol';
import type { Outbox } from './outbox.ts';
import type { Mongo } from '../../rows/mongo/index.ts';
import type { Origin, Recorded } from './outbox.ts';

const batchSize = 200;

/** Tells of one thing that is true by now. Some are written at a time, so only a few are in memory. */
export type RecordSnapshot = <Definition extends EventDefinition>(
  definition: Definition,
  data: DataOf<Definition>,
  /** `sequence` is the last number of an aggregate that counts by itself. */
  options?: { readonly sequence?: number },
) => Promise<void>;

/**
 * Lets `tell` say what a service owns and publishes it under the ids by which it was told first: who has handled it
 * ignores it, who is new or has lost everything hears of it once. Returns how many events go out.
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
