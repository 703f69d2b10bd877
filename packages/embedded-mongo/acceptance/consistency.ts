import fc from 'fast-check';
import { EJSON } from 'bson';
import type { ClientSession, Collection, Db, Filter, MongoClient } from 'mongodb';

type Doc = { _id: number; [name: string]: unknown };
type Items = Collection<Doc>;

const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom(0.5, 1.5, 'a', 'b', 'ab', '', true, false, null),
  fc.constantFrom(new Date(0), new Date(5)),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(fc.integer({ min: -2, max: 3 }), { minLength: 2, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.record({ x: scalar }, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.array(fc.record({ x: scalar, y: scalar }, { requiredKeys: [] }), { maxLength: 3 }) },
);
const documents = fc.array(fc.record({ a: value, b: value, c: scalar }, { requiredKeys: [] }), {
  minLength: 1,
  maxLength: 25,
});
const path = fc.constantFrom('a', 'a', 'b', 'c', 'a.x', 'b.y');

const condition: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  scalar.map((operand) => ({ $eq: operand })),
  scalar.map((operand) => ({ $ne: operand })),
  fc.record({ $gt: scalar }),
  fc.record({ $lte: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $gt: fc.integer({ min: 0, max: 3 }), $lt: fc.integer({ min: -1, max: 2 }) }),
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(scalar, { maxLength: 3 }) }),
  fc.boolean().map((exists) => ({ $exists: exists })),
  fc.constantFrom({ $type: 'string' }, { $size: 1 }, { $regex: '^a' }, { $regex: '^A', $options: 'i' }, { $eq: [] }),
  scalar.map((operand) => ({ $not: { $gt: operand } })),
  fc.record({ $elemMatch: fc.record({ $gte: scalar, $lte: scalar }) }),
  fc.record({ $elemMatch: fc.record({ x: scalar }) }),
  fc.record({ $all: fc.array(scalar, { minLength: 1, maxLength: 2 }) }),
);
const single = fc.tuple(path, condition).map(([name, test]) => ({ [name]: test }));
const filters: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  single,
  fc.array(single, { minLength: 1, maxLength: 3 }).map((parts) => ({ $and: parts })),
  fc.array(single, { minLength: 1, maxLength: 3 }).map((parts) => ({ $or: parts })),
  fc
    .tuple(single, fc.array(single, { minLength: 1, maxLength: 2 }))
    .map(([first, parts]) => ({ $and: [first, { $or: parts }] })),
  fc.array(single, { minLength: 1, maxLength: 2 }).map((parts) => ({ $nor: parts })),
);
const direction = fc.constantFrom<1 | -1>(1, -1);
const keys = fc
  .uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 3, selector: ([name]) => name })
  .map((parts) => Object.fromEntries(parts));
const indexKeys = fc
  .tuple(keys, fc.constantFrom<0 | 1 | -1>(0, 1, -1))
  .map(([key, last]): Record<string, 1 | -1> => (last === 0 ? key : { ...key, _id: last }));
const indexes = fc.array(
  fc.record({ key: indexKeys, kind: fc.constantFrom('plain', 'plain', 'plain', 'sparse', 'partial') }),
  { minLength: 1, maxLength: 3 },
);
const sorts = fc.option(keys, { nil: undefined });
const windows = fc.record({ skip: fc.integer({ min: 0, max: 3 }), limit: fc.integer({ min: 0, max: 6 }) });

const shapes = fc.record({
  at: fc.nat({ max: 2 }),
  test: fc.oneof(
    scalar.map((operand) => ({ $eq: operand })),
    fc.uniqueArray(scalar, { minLength: 2, maxLength: 4 }).map((operands) => ({ $in: operands })),
    fc.record({ $gte: fc.integer({ min: -2, max: 2 }) }),
    fc.constant({ $exists: true }),
  ),
  isReverse: fc.boolean(),
  window: windows,
});

function shaped({ at, test, isReverse, window }: Shape, index: Example['index']): Question {
  const [[first], ...others] = Object.entries(index[at % index.length]!.key) as [
    [string, 1 | -1],
    ...[string, 1 | -1][],
  ];
  const sort = Object.fromEntries(others.map(([name, order]) => [name, (isReverse ? -order : order) as 1 | -1]));
  return { filter: { [first]: test }, sort, window };
}

const show = (rows: unknown[]): string => rows.map((row) => EJSON.stringify(row as Doc, { relaxed: false })).join('\n');

function expectEqual(what: string, [left, right]: [unknown[], unknown[]]): void {
  if (show(left) !== show(right)) throw new Error(`${what}:\n${show(left)}\n--- differs from ---\n${show(right)}`);
}

const isParallel = (error: unknown): boolean => (error as { code?: number }).code === 171;

type Question = {
  filter: Record<string, unknown>;
  sort: Record<string, 1 | -1> | undefined;
  window: { skip: number; limit: number };
};
/** A question made to fit an index: a condition on its first field, the order of the others. */
type Shape = { at: number; test: Record<string, unknown>; isReverse: boolean; window: { skip: number; limit: number } };
type Example = {
  docs: Record<string, unknown>[];
  index: { key: Record<string, 1 | -1>; kind: string }[];
  questions: Question[];
  shapes: Shape[];
};

async function addIndexes(collection: Items, index: Example['index']): Promise<void> {
  for (const [at, { key, kind }] of index.entries()) {
    const options =
      kind === 'sparse' ? { sparse: true } : kind === 'partial' ? { partialFilterExpression: { c: { $gte: 0 } } } : {};
    await collection.createIndex(key, { ...options, name: `i${at}` }).catch((error: unknown) => {
      if (!isParallel(error) && (error as { code?: number }).code !== 85) throw error;
    });
  }
}

type Answer = { rows: Doc[]; ids: number[]; count: number };

async function answer(collection: Items, question: Question): Promise<Answer> {
  const all = await collection.find(question.filter as Filter<Doc>).toArray();
  const rows = await ask(collection, question);
  return {
    rows,
    ids: all.map((row) => row._id).toSorted((a, b) => a - b),
    count: await collection.countDocuments(question.filter as Filter<Doc>),
  };
}

async function checkIndexes(db: Db, example: Example): Promise<void> {
  const collection = db.collection<Doc>('consistency');
  await collection.drop();
  await collection.insertMany(example.docs.map((doc, at) => ({ ...doc, _id: at })));
  const questions = [...example.questions, ...example.shapes.map((shape) => shaped(shape, example.index))];
  const bare = [];
  for (const question of questions) bare.push(await answer(collection, question));
  await addIndexes(collection, example.index);
  for (const [at, question] of questions.entries()) await compareIndexed(collection, question, bare[at]!);
}

async function compareIndexed(collection: Items, question: Question, bare: Answer): Promise<void> {
  const indexed = await answer(collection, question);
  expectEqual('find with and without indexes', [bare.rows, indexed.rows]);
  expectEqual('find in any order with and without indexes', [bare.ids, indexed.ids]);
  expectEqual('count with and without indexes', [[bare.count], [indexed.count]]);
  const { filter, sort, window } = question;
  const stages = [
    { $match: filter },
    { $sort: { ...sort, ...(sort && '_id' in sort ? {} : { _id: 1 }) } },
    { $skip: window.skip },
    ...(window.limit > 0 ? [{ $limit: window.limit }] : []),
  ];
  expectEqual('find and aggregate', [indexed.rows, await collection.aggregate(stages).toArray()]);
}

function ask(collection: Items, { filter, sort, window }: Question, session?: ClientSession): Promise<Doc[]> {
  return collection
    .find(filter as Filter<Doc>, { session })
    .sort({ ...sort, ...(sort && '_id' in sort ? {} : { _id: 1 as const }) })
    .skip(window.skip)
    .limit(window.limit)
    .toArray();
}

async function checkOverlay(client: MongoClient, db: Db, example: Example): Promise<void> {
  const collection = db.collection<Doc>('overlay');
  await collection.drop();
  await db.createCollection('overlay');
  await addIndexes(collection, example.index);
  const docs = example.docs.map((doc, at) => ({ ...doc, _id: at }));
  const half = Math.ceil(docs.length / 2);
  await collection.insertMany(docs.slice(0, half)).catch((error: unknown) => {
    if (!isParallel(error)) throw error;
  });
  const session = client.startSession();
  session.startTransaction();
  const questions = [...example.questions, ...example.shapes.map((shape) => shaped(shape, example.index))];
  const inside: Doc[][] = [];
  try {
    if (docs.length > half) await collection.insertMany(docs.slice(half), { session });
    await collection.updateMany({ _id: { $lt: 3 } }, { $set: { c: 2 } }, { session });
    await collection.deleteMany({ _id: { $in: [1, half] } }, { session });
    for (const question of questions) inside.push(await ask(collection, question, session));
    await session.commitTransaction();
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction();
    if (isParallel(error) || (error as { errorLabels?: string[] }).errorLabels?.includes('TransientTransactionError'))
      return;
    throw error;
  } finally {
    await session.endSession();
  }
  for (const [at, question] of questions.entries()) {
    expectEqual('reads inside a transaction and after its commit', [inside[at]!, await ask(collection, question)]);
  }
}

/** Random documents, indexes and queries: the answer must not depend on the way to it. */
export async function checkConsistency(client: MongoClient, options: { runs: number; seed?: number }): Promise<void> {
  const db = client.db('consistency');
  const questions = fc.array(fc.record({ filter: filters, sort: sorts, window: windows }), {
    minLength: 1,
    maxLength: 8,
  });
  const example = fc.record({
    docs: documents,
    index: indexes,
    questions,
    shapes: fc.array(shapes, { minLength: 1, maxLength: 8 }),
  });
  const settings = { numRuns: options.runs, ...(options.seed === undefined ? {} : { seed: options.seed }) };
  await fc.assert(
    fc.asyncProperty(example, (one) => checkIndexes(db, one)),
    settings,
  );
  await fc.assert(
    fc.asyncProperty(example, (one) => checkOverlay(client, db, one)),
    settings,
  );
}
