import type { ClientSession } from 'mongodb';
import { Mismatch } from './matching.ts';
import { options, type AnyCollection, type Entities } from './entities.ts';
import type { Doc, Operation } from './spec-types.ts';

/** Runs operations given in a callback, for `withTransaction`. */
export type RunAll = (operations: Operation[]) => Promise<void>;

export class NotRun extends Error {}

type Call = { args: Doc; rest: Doc };

function splitArguments(operation: Operation, entities: Entities): Call {
  const args = { ...operation.arguments };
  if (typeof args.session === 'string') args.session = entities.sessions.get(args.session);
  const rest = options(args);
  for (const name of [
    'filter',
    'update',
    'replacement',
    'document',
    'documents',
    'requests',
    'pipeline',
    'fieldName',
    'callback',
    'keys',
    'command',
    'commandName',
    'query',
  ])
    delete rest[name];
  if (typeof rest.returnDocument === 'string') rest.returnDocument = rest.returnDocument.toLowerCase();
  return { args, rest };
}

type Filter = Parameters<AnyCollection['findOne']>[0] & object;

const collectionCalls: Record<string, (on: AnyCollection, call: Call) => Promise<unknown>> = {
  find: (on, { args, rest }) => on.find((args.filter ?? {}) as Filter, rest).toArray(),
  findOne: (on, { args, rest }) => on.findOne((args.filter ?? {}) as Filter, rest),
  aggregate: (on, { args, rest }) => on.aggregate(args.pipeline as Doc[], rest).toArray(),
  count: async (on, { args, rest: { session, ...rest } }) =>
    (
      await on.db.command(
        { count: on.collectionName, query: args.filter ?? {}, ...rest },
        { session: session as ClientSession },
      )
    ).n,
  countDocuments: (on, { args, rest }) => on.countDocuments((args.filter ?? {}) as Filter, rest),
  estimatedDocumentCount: (on, { rest }) => on.estimatedDocumentCount(rest),
  distinct: (on, { args, rest }) => on.distinct(String(args.fieldName), (args.filter ?? {}) as Filter, rest),
  insertOne: (on, { args, rest }) => on.insertOne(args.document as { _id: unknown }, rest),
  insertMany: (on, { args, rest }) => on.insertMany(args.documents as { _id: unknown }[], rest),
  updateOne: (on, { args, rest }) => on.updateOne(args.filter as Filter, args.update as Doc, rest),
  updateMany: (on, { args, rest }) => on.updateMany(args.filter as Filter, args.update as Doc, rest),
  replaceOne: (on, { args, rest }) => on.replaceOne(args.filter as Filter, args.replacement as { _id: unknown }, rest),
  deleteOne: (on, { args, rest }) => on.deleteOne(args.filter as Filter, rest),
  deleteMany: (on, { args, rest }) => on.deleteMany(args.filter as Filter, rest),
  findOneAndUpdate: (on, { args, rest }) => on.findOneAndUpdate(args.filter as Filter, args.update as Doc, rest),
  findOneAndReplace: (on, { args, rest }) =>
    on.findOneAndReplace(args.filter as Filter, args.replacement as { _id: unknown }, rest),
  findOneAndDelete: (on, { args, rest }) => on.findOneAndDelete(args.filter as Filter, rest),
  bulkWrite: (on, { args, rest }) => on.bulkWrite(args.requests as Parameters<AnyCollection['bulkWrite']>[0], rest),
  createIndex: (on, { args, rest }) => on.createIndex(args.keys as Record<string, 1>, rest),
  listIndexes: (on, { rest }) => on.listIndexes(rest).toArray(),
  listIndexNames: async (on, { rest }) =>
    (await on.listIndexes(rest).toArray()).map((index) => (index as { name: string }).name),
};

async function onDatabase(entities: Entities, operation: Operation, { args, rest }: Call): Promise<unknown> {
  const database = entities.databases.get(operation.object)!;
  const { collection, ...others } = rest;
  switch (operation.name) {
    case 'runCommand':
      return database.command(args.command as Doc, rest);
    case 'aggregate':
      return database.aggregate(args.pipeline as Doc[], rest).toArray();
    case 'listCollections':
      return database.listCollections((args.filter ?? {}) as Doc, rest).toArray();
    case 'createCollection':
      return database.createCollection(String(collection), others);
    case 'modifyCollection':
      return database.command({ collMod: collection, ...others });
    case 'dropCollection':
      return database.dropCollection(String(collection), others);
    default:
      throw new NotRun(`database operation ${operation.name}`);
  }
}

async function onSession(
  session: ClientSession,
  operation: Operation,
  { args, rest, runAll }: Call & { runAll: RunAll },
): Promise<unknown> {
  switch (operation.name) {
    case 'startTransaction':
      return session.startTransaction(rest);
    case 'commitTransaction':
      return session.commitTransaction();
    case 'abortTransaction':
      return session.abortTransaction();
    case 'endSession':
      return session.endSession();
    case 'withTransaction':
      return session.withTransaction(async () => {
        await runAll(args.callback as Operation[]);
      }, rest);
    default:
      throw new NotRun(`session operation ${operation.name}`);
  }
}

const stateNames: Record<string, string> = {
  NO_TRANSACTION: 'none',
  STARTING_TRANSACTION: 'starting',
  TRANSACTION_IN_PROGRESS: 'in_progress',
  TRANSACTION_COMMITTED: 'committed',
  TRANSACTION_COMMITTED_EMPTY: 'committed',
  TRANSACTION_ABORTED: 'aborted',
};

function check(holds: boolean, what: string): void {
  if (!holds) throw new Mismatch(what);
}

async function onRunner(
  entities: Entities,
  operation: Operation,
  { args, admin }: Call & { admin: Entities },
): Promise<void> {
  const client = admin.clients.get('admin')!;
  const session = args.session as
    | (ClientSession & { transaction: { state?: string }; serverSession: { isDirty: boolean } | null })
    | undefined;
  const [before, last] = entities.lsids.slice(-2);
  const collection = (): AnyCollection =>
    client.db(String(args.database ?? args.databaseName)).collection(String(args.collection ?? args.collectionName));
  switch (operation.name) {
    case 'failPoint':
    case 'targetedFailPoint':
      await client.db('admin').command(args.failPoint as Doc);
      return;
    case 'assertDifferentLsidOnLastTwoCommands':
      return check(before !== last, 'the last two commands had the same lsid');
    case 'assertSameLsidOnLastTwoCommands':
      return check(before === last, 'the last two commands had different lsids');
    case 'assertSessionDirty':
      return check(session?.serverSession?.isDirty === true, 'session is not dirty');
    case 'assertSessionNotDirty':
      return check(session?.serverSession?.isDirty === false, 'session is dirty');
    case 'assertSessionTransactionState':
      return check(
        stateNames[String(session?.transaction.state)] === args.state,
        `the transaction is ${String(session?.transaction.state)}`,
      );
    case 'assertSessionUnpinned':
      return;
    case 'assertCollectionExists':
    case 'assertCollectionNotExists': {
      const { length } = await collection().db.listCollections({ name: collection().collectionName }).toArray();
      return check(length > 0 === (operation.name === 'assertCollectionExists'), `${operation.name} fails`);
    }
    case 'assertIndexExists':
    case 'assertIndexNotExists': {
      const names = await collection()
        .listIndexes()
        .toArray()
        .catch(() => []);
      const isThere = names.some((index) => (index as { name: string }).name === (args.index ?? args.indexName));
      return check(isThere === (operation.name === 'assertIndexExists'), `${operation.name} fails`);
    }
    default:
      throw new NotRun(`runner operation ${operation.name}`);
  }
}

/** Runs one operation of a test file with the driver. */
export function execute(
  operation: Operation,
  context: { entities: Entities; admin: Entities; runAll: RunAll },
): Promise<unknown> {
  const { entities, admin, runAll } = context;
  const call = splitArguments(operation, entities);
  if (operation.object === 'testRunner') return onRunner(entities, operation, { ...call, admin });
  const session = entities.sessions.get(operation.object);
  if (session) return onSession(session, operation, { ...call, runAll });
  const collection = entities.collections.get(operation.object);
  if (collection) {
    const run = collectionCalls[operation.name];
    if (!run) throw new NotRun(`collection operation ${operation.name}`);
    const on = operation.collectionOptions
      ? (collection.db.collection(
          collection.collectionName,
          options(operation.collectionOptions),
        ) as unknown as AnyCollection)
      : collection;
    return run(on, call);
  }
  if (entities.databases.has(operation.object)) return onDatabase(entities, operation, call);
  const client = entities.clients.get(operation.object);
  if (client && operation.name === 'listDatabases') return client.db('admin').admin().listDatabases(call.rest);
  throw new NotRun(`${operation.name} on ${operation.object}`);
}
