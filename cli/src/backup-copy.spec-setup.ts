import { Mongo } from '@parley/platform/mongo';

type Row = Record<string, unknown>;
type Copied = { readonly database: string; readonly collection: string; readonly rows: Row[] };

/** All documents of all databases of an installation, as `mongodump` copies them. */
export async function dumpDatabases(mongoUrl: string): Promise<Copied[]> {
  const mongo = await Mongo.connect(mongoUrl);
  const copied: Copied[] = [];
  const { databases } = await mongo.connection.db!.admin().listDatabases({ nameOnly: true });
  for (const { name: database } of databases) {
    if (!database.startsWith('parley_')) continue;
    const { db } = mongo.connection.useDb(database);
    for (const { name: collection } of await db!.listCollections().toArray())
      copied.push({
        database,
        collection,
        rows: await db!.collection(collection).find({}, { promoteValues: false }).toArray(),
      });
  }
  await mongo.close();
  return copied;
}

/** Writes them into another server, as `mongorestore --noIndexRestore` does. */
export async function restoreDatabases(mongoUrl: string, copied: readonly Copied[]): Promise<void> {
  const mongo = await Mongo.connect(mongoUrl);
  for (const { database, collection, rows } of copied) {
    const { db } = mongo.connection.useDb(database);
    await db!.createCollection(collection);
    if (rows.length > 0) await db!.collection(collection).insertMany(rows);
  }
  await mongo.close();
}

/** The copy as if it had been made `days` earlier: every date that makes a document expire is older by so much. */
export function aged(copied: readonly Copied[], days: number): Copied[] {
  const earlier = (value: unknown): unknown =>
    value instanceof Date ? new Date(value.getTime() - days * 86_400_000) : value;
  const expiring = new Set(['publishedAt', 'at', 'absoluteUntil', 'idleUntil']);
  const older = (row: Row): Row =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, expiring.has(name) ? earlier(value) : value]));
  return copied.map((each) => ({ ...each, rows: each.rows.map(older) }));
}
