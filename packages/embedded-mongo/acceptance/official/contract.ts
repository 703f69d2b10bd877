import type { Operation, SpecCase, SpecFile } from './spec-types.ts';

const operators = new Set(
  (
    '$eq $ne $gt $gte $lt $lte $in $nin $and $or $nor $not $exists $elemMatch $all $size $type $regex $options ' +
    '$set $unset $setOnInsert $inc $min $max $push $each $slice $sort $position $addToSet $pull $pop ' +
    '$match $skip $limit $project $group $sum $db $literal'
  ).split(' '),
);
const refusedOptions = new Set([
  'collation',
  'hint',
  'let',
  'snapshot',
  'atClusterTime',
  'clustered',
  'timeseries',
  'validator',
  'viewOn',
  'bypassDocumentValidation',
  'comment',
  'sort',
]);
const operations = new Set(
  (
    'find findOne aggregate count countDocuments estimatedDocumentCount distinct insertOne insertMany updateOne updateMany replaceOne deleteOne deleteMany ' +
    'findOneAndUpdate findOneAndReplace findOneAndDelete bulkWrite createIndex listIndexes listIndexNames listCollections listDatabases createCollection dropCollection runCommand ' +
    'startTransaction commitTransaction abortTransaction endSession withTransaction failPoint targetedFailPoint ' +
    'assertDifferentLsidOnLastTwoCommands assertSameLsidOnLastTwoCommands assertSessionDirty assertSessionNotDirty assertSessionUnpinned assertSessionTransactionState ' +
    'assertCollectionExists assertCollectionNotExists assertIndexExists assertIndexNotExists'
  ).split(' '),
);

function strangeKey(value: unknown, operation: Operation): string | undefined {
  if (Array.isArray(value))
    return value.map((item) => strangeKey(item, operation)).find((found) => found !== undefined);
  if (typeof value !== 'object' || value === null || '_bsontype' in value) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (key.startsWith('$') && !operators.has(key)) return key;
    if (key === 'level' && inner === 'snapshot' && operation.name === 'entities')
      return 'snapshot reads outside of a transaction';
    if (key === 'update' && Array.isArray(inner)) return 'pipeline update';
    if (
      refusedOptions.has(key) &&
      inner !== undefined &&
      !(key === 'sort' && operation.name.startsWith('find')) &&
      key !== 'comment' &&
      key !== 'bypassDocumentValidation'
    )
      return key;
    const found = strangeKey(inner, operation);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isCreatedInTransaction(operation: Operation): boolean {
  return (
    (operation.name === 'createCollection' ||
      operation.name === 'createIndex' ||
      operation.name === 'dropCollection') &&
    operation.arguments?.session !== undefined
  );
}

function outsideReason(operation: Operation): string | undefined {
  if (!operations.has(operation.name)) return `operation ${operation.name}`;
  if (operation.name === 'aggregate' && operation.object.startsWith('database')) return 'aggregate on a database';
  if (isCreatedInTransaction(operation)) return `${operation.name} in a transaction`;
  const failPoint = (operation.arguments?.failPoint ?? {}) as { configureFailPoint?: string };
  if (failPoint.configureFailPoint !== undefined && failPoint.configureFailPoint !== 'failCommand')
    return `fail point ${failPoint.configureFailPoint}`;
  const callback = operation.arguments?.callback;
  const inner = Array.isArray(callback)
    ? (callback as Operation[]).map(outsideReason).find((reason) => reason !== undefined)
    : undefined;
  return inner ?? strangeKey({ ...operation.arguments, callback: undefined, failPoint: undefined }, operation);
}

/** Why a case lies outside of the store's written contract; undefined if it lies inside. */
export function reasonOutside(file: SpecFile, test: SpecCase): string | undefined {
  const entities = strangeKey([...(file.createEntities ?? []), ...(test.createEntities ?? [])], {
    name: 'entities',
    object: '',
  });
  return entities ?? test.operations.map(outsideReason).find((reason) => reason !== undefined);
}
