import type { Mongo } from '../mongo/index.ts';
import type { DataMigration } from './data-migrations.ts';

/** Names what rows of earlier versions call by another name. */
export type Rename = {
  /** The name of the collection now. */
  readonly collection: string;
  /** Its name in earlier versions, if it had another; all of its rows move. */
  readonly formerly?: string;
  /** The names of fields, by those of earlier versions. */
  readonly fields?: Readonly<Record<string, string>>;
  /** By the field's name now: its values, by those of earlier versions. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Indexes of the collection by former names, which end. */
  readonly indexes?: readonly string[];
};
type Row = { readonly _id: string } & Readonly<Record<string, unknown>>;

const rowsAtOnce = 500;

/**
 * Gives rows of earlier versions the names of today. Processes of earlier versions must not run beside it. A row is
 * copied before it is removed, and one that has its names is left alone, so a batch may run twice.
 */
export const renames = (name: string, list: readonly Rename[]): DataMigration => ({
  name,
  title: 'renaming stored fields',
  async batch(mongo, cursor) {
    const [at, after] = cursor === null ? [0, ''] : (JSON.parse(cursor) as [number, string]);
    const rename = list[at];
    if (!rename) return null;
    const last = await renameSome(mongo, rename, after);
    if (last !== null) return JSON.stringify([at, last]);
    await tidy(mongo, rename);
    return JSON.stringify([at + 1, '']);
  },
});

/** Renames the counters of quotas, in every service that has some. */
export const quotaCounters: Rename = {
  collection: 'quota_counters',
  formerly: 'stock_counters',
  fields: { stock: 'quota' },
};
/** Renames each service's copy of the flows of organisations. */
export const flowCopies: Rename = {
  collection: 'organisation_flows',
  formerly: 'organisation_shares',
  fields: { share: 'flow' },
};

/** Returns the last id that it has looked at; null when there are no more. */
async function renameSome({ connection }: Mongo, rename: Rename, after: string): Promise<string | null> {
  const { collection, formerly } = rename;
  const source = connection.collection<Row>(formerly ?? collection);
  const rows = await source
    .find({ _id: { $gt: after } })
    .sort({ _id: 1 })
    .limit(rowsAtOnce)
    .toArray();
  const renamed = rows.map((row) => renamedRow(row, rename));
  const changed = formerly === undefined ? renamed.filter((row, index) => row !== rows[index]) : renamed;
  if (changed.length > 0)
    await connection
      .collection<Row>(collection)
      .bulkWrite(changed.map((row) => ({ replaceOne: { filter: { _id: row._id }, replacement: row, upsert: true } })));
  if (formerly !== undefined && rows.length > 0) await source.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return rows.length < rowsAtOnce ? null : rows.at(-1)!._id;
}

/** The same row where nothing of it is called otherwise. */
function renamedRow(row: Row, { fields = {}, values = {} }: Rename): Row {
  const isOld = ([field, value]: [string, unknown]) =>
    Object.hasOwn(fields, field) || Object.hasOwn(values[field] ?? {}, String(value));
  if (!Object.entries(row).some(isOld)) return row;
  const entries = Object.entries(row).map(([before, value]) => {
    const field = fields[before] ?? before;
    return [field, (typeof value === 'string' && values[field]?.[value]) || value];
  });
  return Object.fromEntries(entries) as Row;
}

async function tidy(mongo: Mongo, { collection, formerly, indexes = [] }: Rename): Promise<void> {
  for (const index of indexes) await mongo.dropIndex({ name: collection }, index);
  const known = await mongo.connection.listCollections();
  if (known.some(({ name }) => name === formerly)) await mongo.connection.dropCollection(formerly!);
}
