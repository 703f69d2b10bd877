import { fail, StoreError } from '../errors.ts';
import { getField, isNumber, isObject, numberOf, stringOf, types, type Value } from '../bson/value.ts';
import { nullValue, type Encodable } from '../bson/write.ts';
import { everything, type Filter } from '../query/filter.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { parseProjection, project } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { parseUpdate, type Update } from '../update/parse-update.ts';
import { collectionOf, type Command, type CommandContext, type CommandRun, type Reply } from '../engine/context.ts';
import type { Pause } from '../engine/executor.ts';
import { Args } from './args.ts';
import { bulkWrite } from './bulk-write.ts';
import {
  deleteAll,
  deleteFirst,
  ensureCollection,
  failuresOf,
  insertOne,
  runUpdate,
  type Statement,
} from './write-statements.ts';

const bulkFields = ['ordered', 'bypassDocumentValidation', 'let', 'bypassEmptyTsReplacement'];

function* runStatements(
  context: CommandContext,
  items: readonly Value[],
  run: Statement,
): Generator<Pause, Reply, void> {
  const writeErrors = yield* failuresOf(context, items, run);
  return writeErrors.length === 0 ? {} : { writeErrors };
}

function collectionName(context: CommandContext): string {
  return context.args.string(context.args.name) ?? fail('InvalidNamespace', 'collection name has to be a string');
}

const insert: Command = {
  fields: ['documents', ...bulkFields],
  isWrite: true,
  isAllowedInTransaction: true,
  isRetryable: true,
  *run(context): CommandRun {
    context.args.refuse(['let']);
    const documents = context.args.statements('documents');
    const collection = ensureCollection(context, collectionName(context));
    let n = 0;
    const outcome = yield* runStatements(context, documents, function* (document) {
      yield* insertOne(context, collection, document);
      n++;
    });
    return { n, ...outcome };
  },
};

function parseUpdateStatement(item: Value): { filter: Filter; update: Update; isUpsert: boolean; isMulti: boolean } {
  const args = new Args('update.updates', item);
  args.allowOnly(
    ['q', 'u', 'upsert', 'multi', 'arrayFilters', 'collation', 'hint', 'c', 'sampleId', 'upsertSupplied'],
    false,
  );
  args.refuse(['collation', 'hint', 'c']);
  const filter = args.document('q') ?? fail(40414, "BSON field 'update.updates.q' is missing but a required field");
  args.list('arrayFilters');
  const update = parseUpdate(args.required('u'), args.value('arrayFilters'));
  const isMulti = args.boolean('multi', false);
  if (isMulti && 'replacement' in update)
    fail('FailedToParse', 'multi update is not supported for replacement-style update');
  return { filter: parseFilter(filter), update, isUpsert: args.boolean('upsert', false), isMulti };
}

const update: Command = {
  fields: ['updates', ...bulkFields],
  isWrite: true,
  isAllowedInTransaction: true,
  isRetryable: true,
  *run(context): CommandRun {
    context.args.refuse(['let']);
    const name = collectionName(context);
    let n = 0;
    let nModified = 0;
    const upserted: Encodable[] = [];
    const outcome = yield* runStatements(context, context.args.statements('updates'), function* (item, index) {
      const statement = parseUpdateStatement(item);
      const result = yield* runUpdate(context, { ...statement, name, collection: collectionOf(context), sort: [] });
      n += result.matched + (result.upsertedId ? 1 : 0);
      nModified += result.modified;
      if (result.upsertedId) upserted.push({ index, _id: result.upsertedId });
    });
    return { n, nModified, ...(upserted.length > 0 ? { upserted } : {}), ...outcome };
  },
};

const remove: Command = {
  fields: ['deletes', ...bulkFields],
  isWrite: true,
  isAllowedInTransaction: true,
  isRetryable: true,
  *run(context): CommandRun {
    context.args.refuse(['let']);
    let n = 0;
    const outcome = yield* runStatements(context, context.args.statements('deletes'), function* (item) {
      const args = new Args('delete.deletes', item);
      args.allowOnly(['q', 'limit', 'collation', 'hint'], false);
      args.refuse(['collation', 'hint']);
      const limit = args.number('limit');
      if (limit !== 0 && limit !== 1)
        fail('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${limit}`);
      const filter = parseFilter(
        args.document('q') ?? fail(40414, "BSON field 'delete.deletes.q' is missing but a required field"),
      );
      const selection = { collection: collectionOf(context), filter, sort: [] };
      if (limit === 0) n += yield* deleteAll(context, selection);
      else if (yield* deleteFirst(context, selection)) n++;
    });
    return { n, ...outcome };
  },
};

function projected(context: CommandContext, document: Value | undefined): Value {
  if (document === undefined) return nullValue;
  const fields = context.args.document('fields');
  const projection = fields && parseProjection(fields, false);
  return projection ? project(document, projection) : document;
}

function checkFindAndModify(context: CommandContext): void {
  const { args } = context;
  args.refuse(['collation', 'hint', 'let']);
  const removes = args.boolean('remove', false);
  if (!removes && !args.has('update')) fail('FailedToParse', 'Either an update or remove=true must be specified');
  if (removes && args.has('update')) fail('FailedToParse', 'Cannot specify both an update and remove=true');
  if (removes && args.boolean('upsert', false))
    fail('FailedToParse', 'Cannot specify both upsert=true and remove=true');
  if (removes && args.boolean('new', false))
    fail('FailedToParse', "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
  const fields = args.document('fields');
  if (fields) parseProjection(fields, false);
}

const findAndModify: Command = {
  fields: [
    'query',
    'sort',
    'remove',
    'update',
    'new',
    'fields',
    'upsert',
    'arrayFilters',
    'bypassDocumentValidation',
    'collation',
    'hint',
    'let',
  ],
  isWrite: true,
  isAllowedInTransaction: true,
  isRetryable: true,
  *run(context): CommandRun {
    const { args } = context;
    checkFindAndModify(context);
    const query = args.document('query');
    const selection = {
      collection: collectionOf(context),
      filter: query ? parseFilter(query) : everything,
      sort: parseSort(args.document('sort')),
    };
    if (args.boolean('remove', false)) {
      const removed = yield* deleteFirst(context, selection);
      return { lastErrorObject: { n: removed ? 1 : 0 }, value: projected(context, removed) };
    }
    args.list('arrayFilters');
    const change = parseUpdate(args.required('update'), args.value('arrayFilters'));
    const isUpsert = args.boolean('upsert', false);
    const result = yield* runUpdate(context, {
      ...selection,
      name: collectionName(context),
      update: change,
      isUpsert,
      isMulti: false,
    });
    const lastErrorObject: Reply = {
      n: result.matched + (result.upsertedId ? 1 : 0),
      updatedExisting: result.matched > 0,
    };
    if (result.upsertedId) lastErrorObject.upserted = result.upsertedId;
    return { lastErrorObject, value: projected(context, args.boolean('new', false) ? result.after : result.before) };
  },
};

/**
 * Reads `{w, j, wtimeout}`: one server can promise no more than itself. What it can't promise is told after the write,
 * as MongoDB does.
 */
export function writeConcernError(concern: Value | undefined): StoreError | undefined {
  const w = isObject(concern) ? getField(concern, 'w') : undefined;
  if (w === undefined) return undefined;
  if (isNumber(w))
    return numberOf(w) > 1 ? new StoreError('UnsatisfiableWriteConcern', 'Not enough data-bearing nodes') : undefined;
  const isMajority = w.type === types.string && stringOf(w) === 'majority';
  return isMajority
    ? undefined
    : new StoreError(
        'UnknownReplWriteConcern',
        'No write concern mode of this name found in replica set configuration',
      );
}

export const writeCommands: Record<string, Command> = {
  insert,
  update,
  delete: remove,
  bulkWrite,
  findAndModify,
  findandmodify: findAndModify,
};
