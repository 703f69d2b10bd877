import { fail, StoreError } from '../errors.ts';
import { idOf, prepareForStorage } from '../bson/document.ts';
import { documentOf, type Value } from '../bson/value.ts';
import { encodeDocument, type Encodable } from '../bson/write.ts';
import type { Filter } from '../query/filter.ts';
import { openQuery } from '../query/find.ts';
import { compileFilter } from '../query/matcher.ts';
import type { SortField } from '../query/sort.ts';
import type { Row } from '../query/stages.ts';
import { Locked } from '../storage/locks.ts';
import type { Collection } from '../storage/catalog.ts';
import { Transaction } from '../storage/transaction.ts';
import { applyUpdate } from '../update/apply-update.ts';
import type { Update } from '../update/parse-update.ts';
import { upsertSeed } from '../update/upsert.ts';
import { catalogOf, findCollection, guardOf, type CommandContext } from '../engine/context.ts';
import type { Pause } from '../engine/executor.ts';

/** Repeats a step until no open transaction stands in its way. */
export function* unlocked<T>(step: () => Generator<Pause, T, void>): Generator<Pause, T, void> {
  for (;;) {
    try {
      return yield* step();
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      yield { until: error.owner.ended };
    }
  }
}

/** The same for a step that never steps back by itself. */
export function* unlockedStep<T>(step: () => T): Generator<Pause, T, void> {
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof Locked)) throw error;
      yield { until: error.owner.ended };
    }
  }
}

/** The collection that a write goes to; it is made if it doesn't exist. */
export function ensureCollection(context: CommandContext, name: string): Collection {
  const present = findCollection(context, name);
  if (present) return present;
  const owner = context.target instanceof Transaction ? context.target : catalogOf(context);
  return owner.create(context.database, name);
}

/** Counts a document that was written; for tests, which find unbounded writes by it. */
function noteWrite(context: CommandContext): void {
  const { maxWritten } = guardOf(context);
  const counter = context.isInTransaction && context.session ? context.session : context;
  counter.written += 1;
  if (counter.written <= maxWritten) return;
  const kind = context.isInTransaction ? 'transaction' : 'command';
  fail(
    'OperationFailed',
    `a ${kind} on ${context.database} writes more than ${maxWritten} documents: write in batches`,
  );
}

/** Which documents a write is about. */
export type Selection = { collection: Collection | undefined; filter: Filter; sort: readonly SortField[] };

/** Many rows are kept by their `_id` only. */
function withoutContent(row: Row): Row {
  return { rid: row.rid, doc: documentOf(encodeDocument({ _id: idOf(row.doc) }, 64)) };
}

/** Finds documents. Others may have written while it stepped back, so the rows are read again then. */
function* selectRows(context: CommandContext, selection: Selection, limit: number): Generator<Pause, Row[], void> {
  const stage = openQuery({ ...selection, target: context.target, skip: 0, limit, guard: guardOf(context) });
  const found: Row[] = [];
  let hasPaused = false;
  for (let rows = stage.next(); rows !== undefined; rows = stage.next()) {
    found.push(...(limit === 0 ? rows.map(withoutContent) : rows));
    if (limit > 0 && found.length >= limit) break;
    if (!context.engine.slice.isOver) continue;
    yield 'later';
    hasPaused = true;
  }
  if (!hasPaused || limit === 0) return found;
  const matches = compileFilter(selection.filter);
  const fresh = found.map((row) => ({ rid: row.rid, doc: context.target.reread(selection.collection!, row) }));
  const valid = fresh.filter((row): row is Row => row.doc !== undefined && matches(row.doc));
  return valid.length === found.length ? valid : yield* selectRows(context, selection, limit);
}

export type UpdateStatement = Selection & { name: string; update: Update; isUpsert: boolean; isMulti: boolean };

/** What an update did: the documents before and after for one, counts for many. */
export type UpdateResult = {
  matched: number;
  modified: number;
  upsertedId: Value | undefined;
  before: Value | undefined;
  after: Value | undefined;
};

function upsert(context: CommandContext, statement: UpdateStatement): UpdateResult {
  const collection = ensureCollection(context, statement.name);
  const seed = upsertSeed(statement.filter, 'replacement' in statement.update);
  const after = applyUpdate({ document: seed, filter: statement.filter, update: statement.update, isInsert: true });
  const { document, id } = prepareForStorage(after);
  context.target.insert(collection, document, id);
  noteWrite(context);
  return { matched: 0, modified: 0, upsertedId: id, before: undefined, after: document };
}

function updateRow(context: CommandContext, statement: UpdateStatement, row: Row): { before: Value; after: Value } {
  const after = applyUpdate({ document: row.doc, filter: statement.filter, update: statement.update, isInsert: false });
  if (after !== row.doc) {
    context.target.replace(statement.collection!, row, after);
    noteWrite(context);
  }
  return { before: row.doc, after };
}

function* updateFirst(context: CommandContext, statement: UpdateStatement): Generator<Pause, UpdateResult, void> {
  const rows = yield* selectRows(context, statement, 1);
  if (rows.length === 0) {
    if (statement.isUpsert) return upsert(context, statement);
    return { matched: 0, modified: 0, upsertedId: undefined, before: undefined, after: undefined };
  }
  const { before, after } = updateRow(context, statement, rows[0]!);
  return { matched: 1, modified: before === after ? 0 : 1, upsertedId: undefined, before, after };
}

function* updateMany(context: CommandContext, statement: UpdateStatement): Generator<Pause, UpdateResult, void> {
  const rows = yield* selectRows(context, statement, 0);
  if (rows.length === 0) return yield* updateFirst(context, statement);
  const matches = compileFilter(statement.filter);
  const result: UpdateResult = { matched: 0, modified: 0, upsertedId: undefined, before: undefined, after: undefined };
  for (const row of rows) {
    yield* unlockedStep(() => {
      const doc = context.target.reread(statement.collection!, row);
      if (doc === undefined || !matches(doc)) return;
      const { before, after } = updateRow(context, statement, { rid: row.rid, doc });
      result.matched++;
      if (before !== after) result.modified++;
    });
    if (!context.isInTransaction && context.engine.slice.isOver) yield 'later';
  }
  return result;
}

/** Runs one update statement. */
export function runUpdate(context: CommandContext, statement: UpdateStatement): Generator<Pause, UpdateResult, void> {
  return unlocked(() => (statement.isMulti ? updateMany(context, statement) : updateFirst(context, statement)));
}

/** Deletes the first match, and returns it. */
export function deleteFirst(context: CommandContext, selection: Selection): Generator<Pause, Value | undefined, void> {
  return unlocked(function* () {
    const [row] = yield* selectRows(context, selection, 1);
    if (!row) return undefined;
    context.target.remove(selection.collection!, row);
    noteWrite(context);
    return row.doc;
  });
}

/** Deletes all matches, and returns their number. */
export function* deleteAll(context: CommandContext, selection: Selection): Generator<Pause, number, void> {
  const matches = compileFilter(selection.filter);
  let count = 0;
  for (const row of yield* selectRows(context, selection, 0)) {
    yield* unlockedStep(() => {
      const doc = context.target.reread(selection.collection!, row);
      if (doc === undefined || !matches(doc)) return;
      context.target.remove(selection.collection!, { rid: row.rid, doc });
      noteWrite(context);
      count++;
    });
    if (!context.isInTransaction && context.engine.slice.isOver) yield 'later';
  }
  return count;
}

/** Stores a new document. */
export function* insertOne(
  context: CommandContext,
  collection: Collection,
  input: Value,
): Generator<Pause, void, void> {
  const { document, id } = prepareForStorage(input);
  yield* unlockedStep(() => {
    context.target.insert(collection, document, id);
    noteWrite(context);
  });
}

/** Whether an error ends the whole command instead of one statement. */
function endsCommand(context: CommandContext, error: unknown): boolean {
  return (
    !(error instanceof StoreError) ||
    (context.isInTransaction && error.labels.length > 0) ||
    error.codeName === 'MaxTimeMSExpired'
  );
}

export type Statement = (item: Value, index: number) => Generator<Pause, void, void>;
/** A statement that failed, as the answer lists it. */
type StatementFailure = { index: number; code: number; errmsg: string; [field: string]: Encodable };

/** Runs the statements of a bulk write; the first failure stops an ordered one, and ends a transaction. */
export function* failuresOf(
  context: CommandContext,
  items: readonly Value[],
  run: Statement,
): Generator<Pause, StatementFailure[], void> {
  const isOrdered = context.args.boolean('ordered', true);
  const failures: StatementFailure[] = [];
  for (const [index, item] of items.entries()) {
    try {
      yield* run(item, index);
    } catch (error) {
      if (!(error instanceof StoreError) || endsCommand(context, error)) throw error;
      failures.push({ index, code: error.code, ...error.extra, errmsg: error.message });
      if (isOrdered || context.isInTransaction) break;
    }
  }
  if (failures.length > 0 && context.isInTransaction && context.session) context.engine.sessions.abort(context.session);
  return failures;
}
