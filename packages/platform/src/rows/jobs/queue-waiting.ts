import type { JobDefinition } from '../../base/job-definition.ts';
import { jobScope, type Collection, type Mongo, type PlatformScope, type RowOf } from '../mongo/index.ts';
import type { DataMigration } from '../schema/index.ts';
import { JobRows } from './job-rows.ts';

const rowsPerBatch = 200;
const scope = jobScope('queues what an earlier version left waiting');

type Parts<Definition extends Collection, Input, Field extends keyof RowOf<Definition>> = {
  readonly name: string;
  readonly title: string;
  readonly rows: Definition;
  /** Names of indexes by which an earlier version found the rows, and that are no longer needed. */
  readonly oldIndexes?: readonly string[];
  readonly job: JobDefinition<Input>;
  /** The fields that `jobOf` reads; by default all. */
  readonly fields?: readonly Field[];
  /** Returns the job for a row, and when it is due; null for a row that needs no job. */
  readonly jobOf: (row: Pick<RowOf<Definition>, Field>) => { readonly input: Input; readonly at?: Date } | null;
};

/**
 * Queues jobs for rows of an earlier version, which found its waiting work by reading these rows. A batch can run
 * twice.
 */
export const queueWaiting = <
  Definition extends Collection,
  Input,
  Field extends keyof RowOf<Definition> = keyof RowOf<Definition>,
>({
  name,
  title,
  rows: definition,
  oldIndexes = [],
  job,
  fields,
  jobOf,
}: Parts<Definition, Input, Field>): DataMigration => ({
  name,
  title,
  walks: definition.name,
  async batch(mongo, cursor) {
    if (cursor === null) for (const index of oldIndexes) await mongo.dropIndex(definition, index);
    const jobs = new JobRows(mongo);
    const found = await inOrder(mongo, definition, { after: cursor, fields });
    for (const row of found) {
      const wanted = jobOf(row as unknown as Pick<RowOf<Definition>, Field>);
      if (wanted) await jobs.addMissing(job, wanted.input, wanted.at);
    }
    return found.length < rowsPerBatch ? null : found.at(-1)!._id;
  },
});

type Read = { readonly after: string | null; readonly fields: readonly PropertyKey[] | undefined };

/** Returns rows of any collection in the order of their ids, which are strings. */
function inOrder(mongo: Mongo, definition: Collection, { after, fields }: Read): Promise<{ _id: string }[]> {
  type AnyRows = { find(filter: object, options: object): Promise<{ _id: string }[]> };
  const rows = mongo.rows(definition).within(scope as PlatformScope as never) as unknown as AnyRows;
  return rows.find(after === null ? {} : { _id: { $gt: after } }, { sort: { _id: 1 }, limit: rowsPerBatch, fields });
}
