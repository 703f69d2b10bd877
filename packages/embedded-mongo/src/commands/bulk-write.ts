import { fail } from '../errors.ts';
import type { Value } from '../bson/value.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { parseUpdate } from '../update/parse-update.ts';
import { findCollection, type Command, type CommandContext, type CommandRun } from '../engine/context.ts';
import type { Pause } from '../engine/executor.ts';
import { Args } from './args.ts';
import { deleteAll, deleteFirst, ensureCollection, failuresOf, insertOne, runUpdate } from './write-statements.ts';

const required = (name: string): never => fail(40414, `BSON field 'bulkWrite.${name}' is missing but a required field`);
/** Lists the fields of each kind of statement, besides the one with its collection's index in `nsInfo`. */
const fieldsOf = {
  insert: ['document'],
  update: ['filter', 'updateMods', 'multi', 'upsert'],
  delete: ['filter', 'multi'],
} as const;

/** Holds a collection's name, and the command's context with that collection's database. */
type Place = { context: CommandContext; name: string };
type Counts = { nInserted: number; nMatched: number; nModified: number; nUpserted: number; nDeleted: number };

function placeOf(context: CommandContext, info: Value): Place {
  const args = new Args('bulkWrite.nsInfo', info);
  args.allowOnly(['ns'], false);
  const [, database, name] = /^([^.]+)\.(.+)$/s.exec(args.string('ns') ?? required('nsInfo.ns')) ?? [];
  if (database === undefined || name === undefined) return fail('InvalidNamespace', 'nsInfo names no collection');
  return { context: { ...context, database }, name };
}

function* runStatement(item: Value, places: readonly Place[], counts: Counts): Generator<Pause, void, void> {
  const args = new Args('bulkWrite.ops', item);
  const kind = (['insert', 'update', 'delete'] as const).find((each) => args.has(each)) ?? required('ops.insert');
  args.allowOnly([kind, ...fieldsOf[kind]], false);
  const { context, name } = places[args.count(kind)!] ?? fail('BadValue', 'nsInfo has no collection of this number');
  if (kind === 'insert') {
    yield* insertOne(context, ensureCollection(context, name), args.document('document') ?? required('ops.document'));
    counts.nInserted += 1;
    return;
  }
  const filter = parseFilter(args.document('filter') ?? required('ops.filter'));
  const selection = { collection: findCollection(context, name), filter, sort: [] };
  const isMulti = args.boolean('multi', false);
  if (kind === 'delete') {
    if (isMulti) counts.nDeleted += yield* deleteAll(context, selection);
    else if (yield* deleteFirst(context, selection)) counts.nDeleted += 1;
    return;
  }
  const update = parseUpdate(args.required('updateMods'), undefined);
  if (isMulti && 'replacement' in update)
    fail('FailedToParse', 'multi update is not supported for replacement-style update');
  const statement = { ...selection, name, update, isUpsert: args.boolean('upsert', false), isMulti };
  const { matched, modified, upsertedId } = yield* runUpdate(context, statement);
  counts.nMatched += matched;
  counts.nModified += modified;
  counts.nUpserted += upsertedId ? 1 : 0;
}

/** Writes to several collections, of several databases, at once. As in MongoDB 8, in transactions only and telling errors only. */
export const bulkWrite: Command = {
  fields: ['ops', 'nsInfo', 'ordered', 'errorsOnly', 'bypassDocumentValidation', 'let'],
  isWrite: true,
  isAllowedInTransaction: true,
  *run(context): CommandRun {
    const { args } = context;
    args.refuse(['let']);
    if (!context.isInTransaction || !args.boolean('errorsOnly', false))
      fail('NotImplemented', 'this store supports bulkWrite in transactions only, and with errorsOnly');
    const places = args.statements('nsInfo').map((info) => placeOf(context, info));
    const counts = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
    const failures = yield* failuresOf(context, args.statements('ops'), function* (item) {
      yield* runStatement(item, places, counts);
      if (context.engine.slice.isOver) yield 'later';
    });
    const firstBatch = failures.map(({ index: idx, ...failure }) => ({ ok: 0, idx, n: 0, ...failure }));
    return { cursor: { id: 0n, firstBatch, ns: 'admin.$cmd.bulkWrite' }, nErrors: failures.length, ...counts };
  },
};
