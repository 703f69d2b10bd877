import { Mongo } from '@parley/platform/mongo';
import mongoose from 'mongoose';

const { EJSON } = mongoose.mongo.BSON;
type Row = Record<string, unknown>;
type Index = { readonly key: Row; readonly name: string } & Row;
/** One line of a dump: a collection begins, with its indexes, or a document of it. */
type Line = { readonly collection: string; readonly indexes: readonly Index[] } | { readonly row: Row };
const batchSize = 500;

/** All `parley_*` databases of a server as lines of canonical EJSON, indexes first, as `mongodump` has them. */
export async function dumpDatabases(mongoUrl: string): Promise<string> {
  const mongo = await Mongo.connect(mongoUrl);
  const lines: string[] = [];
  const write = (line: Line) => lines.push(EJSON.stringify(line, { relaxed: false }));
  try {
    const { databases } = await mongo.connection.db!.admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((each) => each.name.startsWith('parley_')).toSorted(byName)) {
      const { db } = mongo.connection.useDb(name);
      for (const { name: collection } of (await db!.listCollections().toArray()).toSorted(byName)) {
        const indexes = (await db!.collection(collection).indexes()) as unknown as Index[];
        write({ collection: `${name}.${collection}`, indexes: indexes.filter((index) => index.name !== '_id_') });
        for await (const row of db!.collection(collection).find({}, { promoteValues: false }).sort({ _id: 1 }))
          write({ row });
      }
    }
    return `${lines.join('\n')}\n`;
  } finally {
    await mongo.close();
  }
}

/**
 * Writes a dump into an empty server. Every date is later by `laterMs`, so that what expires after a time is as old as it
 * was when the dump was made.
 */
export async function restoreDatabases(mongoUrl: string, dump: string, laterMs: number): Promise<void> {
  const mongo = await Mongo.connect(mongoUrl);
  try {
    let target = collectionOf(mongo, 'parley_auth.none');
    let rows: Row[] = [];
    const flush = async () => {
      if (rows.length > 0) await target.insertMany(rows as never[]);
      rows = [];
    };
    for (const text of dump.split('\n').filter((each) => each !== '')) {
      const line = EJSON.parse(text, { relaxed: false }) as Line;
      if ('row' in line) {
        rows.push(later(line.row, laterMs) as Row);
        if (rows.length === batchSize) await flush();
        continue;
      }
      await flush();
      target = collectionOf(mongo, line.collection);
      for (const { key, ...options } of line.indexes) await target.createIndex(key as never, plain(options) as never);
    }
    await flush();
  } finally {
    await mongo.close();
  }
}

function collectionOf(mongo: Mongo, path: string): ReturnType<NonNullable<Mongo['connection']['db']>['collection']> {
  const [database = '', ...collection] = path.split('.');
  return mongo.connection.useDb(database).db!.collection(collection.join('.'));
}

/** Options of an index as numbers of JavaScript: a server takes no wrapped ones. */
const plain = (options: Row): Row => EJSON.parse(EJSON.stringify(options, { relaxed: true })) as Row;

function later(value: unknown, ms: number): unknown {
  if (value instanceof Date) return new Date(value.getTime() + ms);
  if (Array.isArray(value)) return value.map((each) => later(each, ms));
  if (value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, later(each, ms)]));
  return value;
}

const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  one.name < other.name ? -1 : 1;
