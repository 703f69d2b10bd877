import { fail } from '../errors.ts';
import { documentOf, fieldsOf, isNumber, isObject, numberOf, type Value } from '../bson/value.ts';
import { encodeDocument } from '../bson/write.ts';
import { everything, allOf, type Filter } from '../query/filter.ts';
import { openQuery, type Query } from '../query/find.ts';
import { GroupStage, parseGroup, plainCount, stagesOf } from '../query/group.ts';
import { compileFilter } from '../query/matcher.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { parseProjection, project } from '../query/projection.ts';
import { parseSort } from '../query/sort.ts';
import { FilterStage, ListStage, MapStage, SortStage, WindowStage, type Stage } from '../query/stages.ts';
import { collectionOf, guardOf, type Command, type CommandContext, type CommandRun } from '../engine/context.ts';
import { firstBatchSize, openCursor } from '../engine/cursors.ts';
import type { Pause } from '../engine/executor.ts';
import { Args } from './args.ts';
import { countDocuments } from './read-commands.ts';

type PipelineStage = [name: string, spec: Value];

function stageNumber(name: string, value: Value): number {
  const number = numberOf(value);
  const [notNumber, negative] = name === '$limit' ? [5107201, 15958] : [5107200, 5107200];
  if (!isNumber(value) || !Number.isInteger(number))
    fail(notNumber, `invalid argument to ${name} stage: Expected a number in: ${name}`);
  if (number < 0)
    fail(negative, `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${number}`);
  if (name === '$limit' && number === 0) fail('Location15958', 'the limit must be positive');
  return number;
}

function matchOf(spec: Value): Filter {
  if (!isObject(spec)) fail(15959, 'the match filter must be an expression in an object');
  return parseFilter(spec);
}

function sortOf(spec: Value): ReturnType<typeof parseSort> {
  if (!isObject(spec)) fail(15973, 'the $sort key specification must be an object');
  if (fieldsOf(spec).length === 0) fail(15976, '$sort stage must have at least one sort key');
  return parseSort(spec);
}

/** Takes the stages at the start that a query does itself. */
function leadingQuery(query: Query, stages: PipelineStage[]): { query: Query; rest: PipelineStage[] } {
  const filters: Filter[] = [];
  const rest = [...stages];
  while (rest[0]?.[0] === '$match') filters.push(matchOf(rest.shift()![1]));
  const result = { ...query, filter: filters.length === 0 ? everything : allOf(filters) };
  if (rest[0]?.[0] === '$sort') result.sort = sortOf(rest.shift()![1]);
  if (rest[0]?.[0] === '$skip') result.skip = stageNumber('$skip', rest.shift()![1]);
  if (rest[0]?.[0] === '$limit') result.limit = stageNumber('$limit', rest.shift()![1]);
  return { query: result, rest };
}

function limitAfter(rest: PipelineStage[], at: number): number {
  const next = rest[at + 1];
  return next?.[0] === '$limit' ? stageNumber('$limit', next[1]) : 0;
}

function addStage(source: Stage, [name, spec]: PipelineStage, nextLimit: number): Stage {
  switch (name) {
    case '$match': {
      const matches = compileFilter(matchOf(spec));
      return new FilterStage(source, (row) => matches(row.doc));
    }
    case '$sort':
      return new SortStage(source, sortOf(spec), nextLimit);
    case '$skip':
      return new WindowStage(source, stageNumber(name, spec), 0);
    case '$limit':
      return new WindowStage(source, 0, stageNumber(name, spec));
    case '$project': {
      if (!isObject(spec)) fail(15969, '$project specification must be an object');
      const projection = parseProjection(spec, true)!;
      return new MapStage(source, (document) => project(document, projection));
    }
    case '$group':
      return new GroupStage(source, parseGroup(spec));
    default:
      return fail('Location40324', `Unrecognized pipeline stage name: '${name}'`);
  }
}

function checkStages(stages: PipelineStage[]): void {
  for (const [at, stage] of stages.entries()) addStage(new ListStage([]), stage, limitAfter(stages, at));
}

function batchSizeOf(context: CommandContext): number {
  const cursor = context.args.document('cursor');
  if (cursor === undefined)
    return fail('FailedToParse', "The 'cursor' option is required, except for aggregate with the explain argument");
  const args = new Args('aggregate.cursor', cursor);
  args.allowOnly(['batchSize'], false);
  return args.count('batchSize') ?? firstBatchSize;
}

function* counted(
  context: CommandContext,
  query: Query,
  counter: { id: Value; name: string },
): Generator<Pause, Stage, void> {
  const count = yield* countDocuments(context, query);
  return new ListStage(
    count === 0 ? [] : [{ rid: -1, doc: documentOf(encodeDocument({ _id: counter.id, [counter.name]: count })) }],
  );
}

const aggregate: Command = {
  fields: ['pipeline', 'cursor', 'allowDiskUse', 'bypassDocumentValidation', 'collation', 'hint', 'let', 'explain'],
  isAllowedInTransaction: true,
  *run(context): CommandRun {
    const { args } = context;
    args.refuse(['collation', 'hint', 'let', 'explain']);
    const collectionName =
      args.string('aggregate') ??
      fail('NotImplemented', 'aggregations over a whole database are not supported by this store');
    const batchSize = batchSizeOf(context);
    const stages = stagesOf(args.required('pipeline'));
    checkStages(stages);
    const collection = collectionOf(context);
    const whole: Query = {
      target: context.target,
      collection,
      filter: everything,
      sort: [],
      skip: 0,
      limit: 0,
      guard: guardOf(context),
    };
    const { query, rest } = leadingQuery(whole, stages);
    const counter = rest.length === 1 && rest[0]![0] === '$group' ? plainCount(rest[0]![1]) : undefined;
    const stage = counter
      ? yield* counted(context, query, counter)
      : rest.reduce((source, next, at) => addStage(source, next, limitAfter(rest, at)), openQuery(query));
    return yield* openCursor(context, {
      namespace: `${context.database}.${collectionName}`,
      stage,
      collection,
      batchSize,
      isSingleBatch: false,
      neverExpires: false,
    });
  },
};

export const aggregateCommands: Record<string, Command> = { aggregate };
