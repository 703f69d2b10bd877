import { fail } from '../errors.ts';
import { compareValues } from '../bson/compare.ts';
import { keyOf } from '../bson/key.ts';
import { documentOf, fieldsOf, isArray, isNumber, isObject, itemsOf, types, Value } from '../bson/value.ts';
import { encodeDocument, valueOf, type Encodable } from '../bson/write.ts';
import { addNumbers } from '../update/operators.ts';
import { parseExpression, type Expression } from './expression.ts';
import type { Row, Stage } from './stages.ts';

type Accumulator = { name: string; kind: '$sum' | '$max' | '$min'; expression: Expression };

/** A parsed `$group`. */
export type Grouping = { id: Expression; accumulators: Accumulator[] };

const maxGroupBytes = 100 * 1024 * 1024;

function parseAccumulator(name: string, value: Value): Accumulator {
  if (name.includes('.')) fail(40235, `The field name '${name}' cannot contain '.'`);
  if (!isObject(value)) fail('Location40234', `The field '${name}' must be an accumulator object`);
  const fields = fieldsOf(value);
  if (fields.length !== 1) fail('Location40238', `The field '${name}' must specify one accumulator`);
  const [kind, operand] = fields[0]!;
  if (kind !== '$sum' && kind !== '$max' && kind !== '$min') fail('Location15952', `unknown group operator '${kind}'`);
  return { name, kind: kind as '$sum', expression: parseExpression(operand) };
}

/** Parses the specification of a `$group` stage. */
export function parseGroup(spec: Value): Grouping {
  if (!isObject(spec)) fail('Location15947', "a group's fields must be specified in an object");
  const fields = fieldsOf(spec);
  const id = fields.find(([name]) => name === '_id')?.[1];
  if (id === undefined) return fail('Location15955', 'a group specification must include an _id');
  return {
    id: parseExpression(id),
    accumulators: fields.filter(([name]) => name !== '_id').map(([name, value]) => parseAccumulator(name, value)),
  };
}

function present(value: Encodable): Value | undefined {
  return value === undefined ? undefined : valueOf(value);
}

function accumulate(kind: Accumulator['kind'], now: Value | undefined, value: Value | undefined): Value | undefined {
  if (kind === '$sum') return value !== undefined && isNumber(value) ? addNumbers(now!, value) : now;
  if (value === undefined || value.type === types.null) return now;
  if (now === undefined) return value;
  return compareValues(value, now) * (kind === '$max' ? 1 : -1) > 0 ? value : now;
}

type Group = { id: Value; totals: (Value | undefined)[] };

/** Collects documents into groups; only the groups are kept. */
export class GroupStage implements Stage {
  private readonly source: Stage;
  private readonly grouping: Grouping;
  private readonly groups = new Map<string, Group>();
  private bytes = 0;
  private isDone = false;

  constructor(source: Stage, grouping: Grouping) {
    this.source = source;
    this.grouping = grouping;
  }

  next(): Row[] | undefined {
    if (this.isDone) return undefined;
    const rows = this.source.next();
    if (rows === undefined) {
      this.isDone = true;
      return [...this.groups.values()].map((group) => ({ rid: -1, doc: this.result(group) }));
    }
    for (const { doc } of rows) this.add(doc);
    return [];
  }

  private add(document: Value): void {
    const id = present(this.grouping.id(document)) ?? valueOf(null);
    const key = keyOf(id).toString('latin1');
    let group = this.groups.get(key);
    if (!group) {
      group = {
        id: copied(id),
        totals: this.grouping.accumulators.map(({ kind }) => (kind === '$sum' ? valueOf(0) : undefined)),
      };
      this.groups.set(key, group);
      this.bytes += key.length * 2 + 200;
      if (this.bytes > maxGroupBytes)
        fail('QueryExceededMemoryLimitNoDiskUseAllowed', 'Exceeded memory limit for $group');
    }
    const { totals } = group;
    this.grouping.accumulators.forEach(({ kind, expression }, at) => {
      const now = totals[at];
      const next = accumulate(kind, now, present(expression(document)));
      if (next !== now) totals[at] = next && copied(next);
    });
  }

  private result(group: Group): Value {
    const fields: Record<string, Encodable> = { _id: group.id };
    this.grouping.accumulators.forEach(({ name }, at) => (fields[name] = group.totals[at] ?? null));
    return documentOf(encodeDocument(fields));
  }
}

/** A value that doesn't keep its whole document in memory. */
function copied(value: Value): Value {
  const bytes = Buffer.from(value.bytes.subarray(value.start, value.end));
  return new Value(value.type, bytes, { start: 0, end: bytes.length });
}

/** The grouping `{_id: constant, n: {$sum: 1}}`, which only counts; the result is the name of the counter. */
export function plainCount(spec: Value): { id: Value; name: string } | undefined {
  const fields = isObject(spec) ? fieldsOf(spec) : [];
  if (fields.length !== 2 || fields[0]![0] !== '_id') return undefined;
  const [name, accumulator] = fields[1]!;
  const inner = isObject(accumulator) ? fieldsOf(accumulator) : [];
  const isOne =
    inner.length === 1 &&
    inner[0]![0] === '$sum' &&
    inner[0]![1].type === types.int &&
    inner[0]![1].bytes.readInt32LE(inner[0]![1].start) === 1;
  const id = fields[0]![1];
  const isConstant = isNumber(id) || id.type === types.null;
  return isOne && isConstant ? { id, name } : undefined;
}

/** The stages of a pipeline, by name. */
export function stagesOf(pipeline: Value): [name: string, spec: Value][] {
  if (!isArray(pipeline)) fail('TypeMismatch', "'pipeline' option must be specified as an array");
  return itemsOf(pipeline).map((stage): [string, Value] => {
    const fields = isObject(stage)
      ? fieldsOf(stage)
      : fail('TypeMismatch', "Each element of the 'pipeline' array must be an object");
    if (fields.length !== 1)
      fail('Location40323', 'A pipeline stage specification object must contain exactly one field.');
    return fields[0]!;
  });
}
