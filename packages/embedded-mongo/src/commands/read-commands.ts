import { fail } from '../errors.ts';
import { keyOf } from '../bson/key.ts';
import { integerOf, isArray, isNumber, itemsOf, type Value } from '../bson/value.ts';
import { valueOf } from '../bson/write.ts';
import { everything, type Filter } from '../query/filter.ts';
import { countByIndex, openQuery, type Query } from '../query/find.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { pathOf, walkPath } from '../query/path.ts';
import { parseProjection, project } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { MapStage } from '../query/stages.ts';
import { collectionOf, guardOf, type Command, type CommandContext, type CommandRun } from '../engine/context.ts';
import { firstBatchSize, openCursor, takeBatch } from '../engine/cursors.ts';
import type { Pause } from '../engine/executor.ts';

function filterOf(context: CommandContext, name: string): Filter {
  const document = context.args.document(name);
  return document ? parseFilter(document) : everything;
}

function namespaceOf(context: CommandContext): string {
  const name = context.args.string(context.args.name);
  if (name === undefined || name === '')
    fail('InvalidNamespace', `Invalid namespace specified '${context.database}.${name ?? ''}'`);
  return `${context.database}.${name}`;
}

const findOptions = [
  'collation',
  'hint',
  'let',
  'min',
  'max',
  'returnKey',
  'showRecordId',
  'tailable',
  'awaitData',
  'oplogReplay',
];

const find: Command = {
  fields: [
    'filter',
    'sort',
    'projection',
    'skip',
    'limit',
    'batchSize',
    'singleBatch',
    'noCursorTimeout',
    'allowDiskUse',
    'allowPartialResults',
    ...findOptions,
  ],
  isAllowedInTransaction: true,
  *run(context): CommandRun {
    const { args } = context;
    args.refuse(findOptions);
    const projectionDocument = args.document('projection');
    const projection = projectionDocument && parseProjection(projectionDocument, false);
    const limit = args.count('limit') ?? 0;
    const collection = collectionOf(context);
    const stage = openQuery({
      target: context.target,
      collection,
      filter: filterOf(context, 'filter'),
      sort: parseSort(args.document('sort')),
      skip: args.count('skip') ?? 0,
      limit,
      guard: guardOf(context),
    });
    return yield* openCursor(context, {
      namespace: namespaceOf(context),
      stage: projection ? new MapStage(stage, (document) => project(document, projection)) : stage,
      collection,
      batchSize: args.count('batchSize') ?? firstBatchSize,
      isSingleBatch: args.boolean('singleBatch', false),
      neverExpires: args.boolean('noCursorTimeout', false),
    });
  },
};

const getMore: Command = {
  fields: ['collection', 'batchSize'],
  isAllowedInTransaction: true,
  *run(context): CommandRun {
    const { args, engine } = context;
    const id = args.required('getMore');
    if (!isNumber(id)) fail('TypeMismatch', "BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
    const namespace = `${context.database}.${args.string('collection') ?? ''}`;
    const cursor = engine.cursors.get(integerOf(id), namespace);
    if (cursor.target !== context.target)
      fail(50738, 'Cannot run getMore on a cursor outside of the transaction that it was created in');
    cursor.lastUsedAt = Date.now();
    const size = args.count('batchSize');
    try {
      const { documents, isDone } = yield* takeBatch(
        context,
        cursor,
        size === undefined || size === 0 ? Number.POSITIVE_INFINITY : size,
      );
      if (isDone) engine.cursors.kill(cursor.id);
      return { cursor: { nextBatch: documents, id: valueOf(isDone ? 0n : cursor.id), ns: namespace } };
    } catch (error) {
      engine.cursors.kill(cursor.id);
      throw error;
    }
  },
};

const killCursors: Command = {
  fields: ['cursors'],
  isAllowedInTransaction: true,
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    const ids =
      context.args.list('cursors') ?? fail(40414, "BSON field 'killCursors.cursors' is missing but a required field");
    const killed = ids.filter((id) => context.engine.cursors.kill(integerOf(id)));
    return {
      cursorsKilled: killed,
      cursorsNotFound: ids.filter((id) => !killed.includes(id)),
      cursorsAlive: [],
      cursorsUnknown: [],
    };
  },
};

/** Counts what a query yields, reading documents only if no index tells the number. */
export function* countDocuments(context: CommandContext, query: Query): Generator<Pause, number, void> {
  const total = countByIndex(query);
  if (total !== undefined) {
    const afterSkip = Math.max(0, total - query.skip);
    return query.limit === 0 ? afterSkip : Math.min(afterSkip, query.limit);
  }
  const stage = openQuery(query);
  let count = 0;
  for (let rows = stage.next(); rows !== undefined; rows = stage.next()) {
    count += rows.length;
    if (context.engine.slice.isOver) yield 'later';
  }
  return count;
}

const count: Command = {
  fields: ['query', 'limit', 'skip', 'hint', 'collation', 'fields'],
  *run(context): CommandRun {
    const { args } = context;
    args.refuse(['hint', 'collation']);
    const limit = Math.abs(args.number('limit') ?? 0);
    const skip = args.number('skip') ?? 0;
    if (skip < 0) fail('BadValue', `BSON field 'skip' value must be >= 0, actual value '${skip}'`);
    const query: Query = {
      target: context.target,
      collection: collectionOf(context),
      filter: filterOf(context, 'query'),
      sort: [],
      skip,
      limit,
      guard: guardOf(context),
    };
    return { n: yield* countDocuments(context, query) };
  },
};

const distinct: Command = {
  fields: ['key', 'query', 'collation', 'hint'],
  isAllowedInTransaction: true,
  *run(context): CommandRun {
    const { args } = context;
    args.refuse(['collation', 'hint']);
    const key = args.string('key') ?? fail(40414, "BSON field 'distinct.key' is missing but a required field");
    if (key === '' || key.includes('\0')) fail('BadValue', 'the key of distinct must not be empty');
    const stage = openQuery({
      target: context.target,
      collection: collectionOf(context),
      filter: filterOf(context, 'query'),
      sort: [],
      skip: 0,
      limit: 0,
      guard: guardOf(context),
    });
    const values = new Map<string, Value>();
    const note = (value: Value): void => {
      const name = keyOf(value).toString('latin1');
      if (!values.has(name)) values.set(name, value);
    };
    const path = pathOf(key);
    const visit = (value: Value | undefined): boolean => {
      if (isArray(value)) itemsOf(value).forEach(note);
      else if (value !== undefined) note(value);
      return false;
    };
    for (let rows = stage.next(); rows !== undefined; rows = stage.next()) {
      for (const { doc } of rows) walkPath(doc, { path, expandsLeaf: false, visit });
      if (context.engine.slice.isOver) yield 'later';
    }
    return {
      values: [...values]
        .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1')))
        .map(([, value]) => value),
    };
  },
};

export const readCommands: Record<string, Command> = { find, getMore, killCursors, count, distinct };
