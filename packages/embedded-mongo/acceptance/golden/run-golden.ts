import { EJSON, deserialize, serialize } from 'bson';
import type { Collection, Db } from 'mongodb';
import { queryCases, type Doc } from './queries.ts';
import { refusedCommands } from './refusals.ts';
import { aggregateCases, projectionCases } from './shapes.ts';
import { sortCases } from './sorts.ts';
import { updateCases, upsertCases } from './updates.ts';

export type GoldenCase = { name: string; run: (db: Db) => Promise<void> };

type Stored = Collection<Doc & { _id: unknown }>;

/** Types included: 1 and 1.0 differ here. */
const exactly = (value: unknown): string =>
  EJSON.stringify(deserialize(serialize({ value }), { promoteValues: false }), { relaxed: false });

function expectSame(actual: unknown, expected: unknown): void {
  if (exactly(actual) !== exactly(expected)) throw new Error(`expected ${exactly(expected)}, got ${exactly(actual)}`);
}

async function expectCode(code: number, run: () => Promise<unknown>): Promise<void> {
  const outcome = await run().then(
    (result) => ({ result: EJSON.stringify(result as Doc) }),
    (error: unknown) => ({ code: Number((error as { code?: unknown }).code), message: (error as Error).message }),
  );
  if (!('code' in outcome) || outcome.code !== code)
    throw new Error(`expected error ${code}, got ${JSON.stringify(outcome)}`);
}

async function filled(db: Db, docs: Doc[], indexes: Record<string, 1 | -1>[] = []): Promise<Stored> {
  const collection = db.collection<Doc & { _id: unknown }>('golden');
  await collection.drop();
  await db.createCollection('golden');
  for (const index of indexes) await collection.createIndex(index);
  if (docs.length > 0) await collection.insertMany(docs.map((doc, at) => ({ _id: at, ...doc })));
  return collection;
}

const paths = (filter: Doc): string[] =>
  Object.entries(filter).flatMap(([name, value]) => (name.startsWith('$') ? (value as Doc[]).flatMap(paths) : [name]));

async function checkQuery(db: Db, { docs, filter, matches }: (typeof queryCases)[number]): Promise<void> {
  const fields = [...new Set(paths(filter))].filter((path) => path !== '_id' && !/\.\d/.test(path));
  for (const indexes of [
    [],
    ...fields.map((field) => [{ [field]: 1 as const }]),
    ...fields.map((field) => [{ [field]: -1 as const }]),
  ]) {
    const collection = await filled(db, docs, indexes);
    const found = await collection.find(filter).toArray();
    expectSame(
      found.map((doc) => doc.at ?? doc._id).toSorted((a, b) => Number(a) - Number(b)),
      matches,
    );
    expectSame(await collection.countDocuments(filter), matches.length);
  }
}

async function checkSort(db: Db, { docs, sort, order }: (typeof sortCases)[number]): Promise<void> {
  for (const indexes of [
    [],
    [sort],
    [Object.fromEntries(Object.entries(sort).map(([name, direction]) => [name, -direction as 1 | -1]))],
  ]) {
    const collection = await filled(db, docs, indexes);
    expectSame(
      (await collection.find().sort(sort).toArray()).map((doc) => doc._id),
      order,
    );
    expectSame(
      (await collection.find().sort(sort).limit(2).toArray()).map((doc) => doc._id),
      order.slice(0, 2),
    );
  }
}

async function checkUpdate(
  db: Db,
  { before, update, filter, arrayFilters, after }: (typeof updateCases)[number],
): Promise<void> {
  const collection = await filled(db, [before]);
  const run = (): Promise<unknown> => collection.updateOne(filter ?? {}, update, { arrayFilters });
  if (typeof after === 'number') {
    await expectCode(after, run);
    return expectSame(await collection.findOne({}, { promoteValues: false }), { _id: 0, ...before });
  }
  await run();
  expectSame(await collection.findOne({}, { promoteValues: false }), { _id: 0, ...after });
}

async function checkUpsert(db: Db, { filter, update, after }: (typeof upsertCases)[number]): Promise<void> {
  const collection = await filled(db, []);
  const isReplacement = !Object.keys(update)[0]!.startsWith('$');
  const run = (): Promise<unknown> =>
    isReplacement
      ? collection.replaceOne(filter, update, { upsert: true })
      : collection.updateOne(filter, update, { upsert: true });
  if (typeof after === 'number') return expectCode(after, run);
  await run();
  expectSame(await collection.findOne({}, { promoteValues: false }), after);
}

async function checkAggregate(db: Db, { docs, pipeline, result }: (typeof aggregateCases)[number]): Promise<void> {
  const collection = await filled(db, docs);
  const run = (): Promise<Doc[]> => collection.aggregate(pipeline, { promoteValues: false }).toArray();
  if (typeof result === 'number') return expectCode(result, run);
  expectSame(await run(), result);
}

async function checkProjection(db: Db, { doc, projection, result }: (typeof projectionCases)[number]): Promise<void> {
  const collection = await filled(db, [doc]);
  const run = (): Promise<unknown> => collection.findOne({}, { projection, promoteValues: false });
  if (typeof result === 'number') return expectCode(result, run);
  expectSame(await run(), result);
}

async function checkRefusal(db: Db, { command, code }: (typeof refusedCommands)[number]): Promise<void> {
  await filled(db, [{}]);

  const renamed = Object.fromEntries(
    Object.entries(command).map(([name, value]) => [name, value === 'c' ? 'golden' : value]),
  );
  await expectCode(code, async () => {
    const reply = await db.command(renamed);
    const [failed] = (reply.writeErrors ?? []) as { code: number; errmsg: string }[];
    if (failed) throw Object.assign(new Error(failed.errmsg), { code: failed.code });
    return reply;
  });
}

/** All documented answers, as runnable cases. */
export const goldenCases: GoldenCase[] = [
  ...queryCases.map((one) => ({ name: `query, ${one.name}`, run: (db: Db) => checkQuery(db, one) })),
  ...sortCases.map((one) => ({ name: `sort, ${one.name}`, run: (db: Db) => checkSort(db, one) })),
  ...updateCases.map((one) => ({ name: `update, ${one.name}`, run: (db: Db) => checkUpdate(db, one) })),
  ...upsertCases.map((one) => ({ name: `upsert, ${one.name}`, run: (db: Db) => checkUpsert(db, one) })),
  ...projectionCases.map((one) => ({ name: `projection, ${one.name}`, run: (db: Db) => checkProjection(db, one) })),
  ...aggregateCases.map((one) => ({ name: `aggregate, ${one.name}`, run: (db: Db) => checkAggregate(db, one) })),
  ...refusedCommands.map((one) => ({ name: `refused, ${one.name}`, run: (db: Db) => checkRefusal(db, one) })),
];
