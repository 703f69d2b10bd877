import type { Mongo } from '../mongo/index.ts';
import type { DataMigration } from './data-migrations.ts';

/** Maps names that earlier versions used in stored rows to today's names. */
export type Rename = {
  /** The present name of the collection. */
  readonly collection: string;
  /** The name of the collection in earlier versions, if it had another; all of its rows move. */
  readonly formerly?: string;
  /** Today's names of fields, keyed by the names of earlier versions. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Today's values, keyed by those of earlier versions, for each field by its present name. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Names of earlier versions' indexes of the collection, which are dropped. */
  readonly indexes?: readonly string[];
};
type Row = { readonly _id: string } & Readonly<Record<string, unknown>>;

const rowsAtOnce = 500;

/**
 * Gives rows of earlier versions today's names. Processes of earlier versions must not run meanwhile. A row is copied
 * before the old row is removed, and a row with today's names is left alone, so a batch can run twice.
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

/** Renames the collection of quota counters and its field, in every service that has such counters. */
export const quotaCounters: Rename = {
  collection: 'quota_counters',
  formerly: 'stock_counters',
  fields: { stock: 'quota' },
};
/** Renames a service's stored copy of the organisations' flows (shares of capacity): collection and field. */
export const flowCopies: Rename = {
  collection: 'organisation_flows',
  formerly: 'organisation_shares',
  fields: { share: 'flow' },
};

/** Renames some rows. Returns the last id that it has looked at; null if there are no more. */
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

/** Returns the row with today's names; the same object if none of its names changes. */
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
