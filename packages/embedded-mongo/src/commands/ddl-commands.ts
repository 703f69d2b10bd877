import { fail, StoreError } from '../errors.ts';
import { documentOf, fieldsOf, getField, isArray, isObject, itemsOf, stringOf, types, Value } from '../bson/value.ts';
import { encodeDocument, valueOf, type Encodable } from '../bson/write.ts';
import { compileFilter } from '../query/matcher.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { ListStage } from '../query/stages.ts';
import { normaliseIndexSpec, sameIndexKey, sameIndexOptions, type Index } from '../storage/index-spec.ts';
import type { Collection } from '../storage/catalog.ts';
import { catalogOf, collectionOf, type Command, type CommandContext, type CommandRun } from '../engine/context.ts';
import { openCursor } from '../engine/cursors.ts';
import { Args } from './args.ts';
import { ensureCollection } from './write-statements.ts';

function nameOf(context: CommandContext): string {
  return context.args.string(context.args.name) ?? fail('InvalidNamespace', 'collection name has to be a string');
}

const createOptions = [
  'capped',
  'size',
  'max',
  'timeseries',
  'expireAfterSeconds',
  'viewOn',
  'pipeline',
  'validator',
  'validationLevel',
  'validationAction',
  'collation',
  'clusteredIndex',
  'changeStreamPreAndPostImages',
  'encryptedFields',
  'storageEngine',
  'indexOptionDefaults',
  'autoIndexId',
];

const create: Command = {
  fields: createOptions,
  isWrite: true,
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    context.args.refuse(createOptions);
    const name = nameOf(context);
    if (!catalogOf(context).find(context.database, name)) catalogOf(context).create(context.database, name);
    return {};
  },
};

const drop: Command = {
  fields: [],
  isWrite: true,
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    const collection = collectionOf(context);
    if (!collection) return {};
    catalogOf(context).drop(collection);
    return { nIndexesWas: collection.indexes.length, ns: `${context.database}.${collection.name}` };
  },
};

const dropDatabase: Command = {
  fields: [],
  isWrite: true,
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    const collections = catalogOf(context).inDatabase(context.database);
    for (const collection of collections) catalogOf(context).drop(collection);
    return collections.length === 0 ? {} : { dropped: context.database };
  },
};

function uuidValue(uuid: Buffer): Value {
  const bytes = Buffer.concat([Buffer.from([16, 0, 0, 0, 4]), uuid]);
  return new Value(types.binData, bytes, { start: 0, end: bytes.length });
}

function cursorBatch(context: CommandContext): number {
  const cursor = context.args.document('cursor');
  if (cursor === undefined) return Number.POSITIVE_INFINITY;
  const args = new Args(`${context.args.name}.cursor`, cursor);
  args.allowOnly(['batchSize'], false);
  return args.count('batchSize') ?? Number.POSITIVE_INFINITY;
}

const listCollections: Command = {
  fields: ['filter', 'nameOnly', 'authorizedCollections', 'cursor'],
  *run(context): CommandRun {
    const { args } = context;
    const isNameOnly = args.boolean('nameOnly', false);
    const filter = args.document('filter');
    const matches = filter ? compileFilter(parseFilter(filter)) : () => true;
    const rows = catalogOf(context)
      .inDatabase(context.database)
      .map((collection): Record<string, Encodable> => {
        if (isNameOnly) return { name: collection.name, type: 'collection' };
        return {
          name: collection.name,
          type: 'collection',
          options: {},
          info: { readOnly: false, uuid: uuidValue(collection.uuid) },
          idIndex: collection.indexes[0]!.spec,
        };
      })
      .map((entry) => ({ rid: -1, doc: documentOf(encodeDocument(entry)) }))
      .filter((row) => matches(row.doc));
    return yield* openCursor(context, {
      namespace: `${context.database}.$cmd.listCollections`,
      stage: new ListStage(rows),
      collection: undefined,
      batchSize: cursorBatch(context),
      isSingleBatch: false,
      neverExpires: false,
    });
  },
};

const listDatabases: Command = {
  fields: ['filter', 'nameOnly', 'authorizedDatabases'],
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    const { args } = context;
    if (context.database !== 'admin') fail('Unauthorized', 'listDatabases may only be run against the admin database.');
    const filter = args.document('filter');
    const matches = filter ? compileFilter(parseFilter(filter)) : () => true;
    const names = [
      ...new Set(
        catalogOf(context)
          .all()
          .map((collection) => collection.database),
      ),
    ].toSorted();
    const isNameOnly = args.boolean('nameOnly', false);
    const databases = names
      .map((name) => valueOf(isNameOnly ? { name } : { name, sizeOnDisk: valueOf(0n), empty: false }))
      .filter(matches);
    return isNameOnly ? { databases } : { databases, totalSize: valueOf(0n) };
  },
};

function conflictingIndex(collection: Collection, spec: Value): Index | 'same' | undefined {
  const name = stringOf(getField(spec, 'name')!);
  for (const index of collection.indexes) {
    const sameKey = sameIndexKey(index.spec, spec);
    if (index.name === name) {
      if (index.id === 0 && sameKey) return 'same';
      if (sameKey && sameIndexOptions(index.spec, spec)) return 'same';
      const [code, what] = sameKey
        ? (['IndexOptionsConflict', 'different options'] as const)
        : (['IndexKeySpecsConflict', 'a different key'] as const);
      fail(code, `An existing index has the same name as the requested index with ${what}. Requested index: ${name}`);
    }
    const samePartial = sameIndexOptions(index.spec, spec);
    if (sameKey && index.id === 0) return 'same';
    if (sameKey && samePartial)
      fail('IndexOptionsConflict', `Index already exists with a different name: ${index.name}`);
    if (
      sameKey &&
      getField(index.spec, 'partialFilterExpression') === undefined &&
      getField(spec, 'partialFilterExpression') === undefined
    ) {
      fail(
        'IndexOptionsConflict',
        `An equivalent index already exists with a different name and options. Requested index: ${name}, existing index: ${index.name}`,
      );
    }
  }
  return undefined;
}

function addIndex(context: CommandContext, collection: Collection, spec: Value): void {
  if (conflictingIndex(collection, spec) === 'same') return;
  const { store } = context.engine;
  if (collection.indexes.length >= 64)
    fail('CannotCreateIndex', `add index fails, too many indexes for ${collection.name}`);
  store.atomically(() => store.writer.fillIndex(collection, store.catalog.addIndex(collection, spec)));
}

const createIndexes: Command = {
  fields: ['indexes', 'commitQuorum', 'ignoreUnknownIndexOptions'],
  isWrite: true,
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    const list =
      context.args.list('indexes') ?? fail(40414, "BSON field 'createIndexes.indexes' is missing but a required field");
    if (list.length === 0) fail('BadValue', 'Must specify at least one index to create');
    const specs = list.map(normaliseIndexSpec);
    const name = nameOf(context);
    const isNew = !catalogOf(context).find(context.database, name);
    const collection = ensureCollection(context, name);
    const before = collection.indexes.length;
    for (const spec of specs) addIndex(context, collection, spec);
    const after = collection.indexes.length;
    return {
      numIndexesBefore: before,
      numIndexesAfter: after,
      createdCollectionAutomatically: isNew,
      ...(before === after ? { note: 'all indexes already exist' } : {}),
    };
  },
};

const listIndexes: Command = {
  fields: ['cursor', 'includeIndexBuildInfo'],
  *run(context): CommandRun {
    const collection =
      collectionOf(context) ?? fail('NamespaceNotFound', `ns does not exist: ${context.database}.${nameOf(context)}`);
    const rows = collection.indexes.map((index) => ({ rid: -1, doc: index.spec }));
    return yield* openCursor(context, {
      namespace: `${context.database}.${collection.name}`,
      stage: new ListStage(rows),
      collection: undefined,
      batchSize: cursorBatch(context),
      isSingleBatch: false,
      neverExpires: false,
    });
  },
};

function indexesToDrop(collection: Collection, wanted: Value): Index[] {
  if (isArray(wanted)) return itemsOf(wanted).flatMap((item) => indexesToDrop(collection, item));
  if (isObject(wanted)) {
    const key = valueOf({ key: wanted });
    const found = collection.indexes.filter((index) => fieldsOf(wanted).length > 0 && sameIndexKey(index.spec, key));
    if (found.length === 0)
      fail(
        'IndexNotFound',
        `can't find index with key: ${fieldsOf(wanted)
          .map(([name]) => name)
          .join(', ')}`,
      );
    return found;
  }
  const name =
    wanted.type === types.string
      ? stringOf(wanted)
      : fail('TypeMismatch', 'dropIndexes.index must be a name, a key or a list of names');
  if (name === '*') return collection.indexes.slice(1);
  const found = collection.indexes.find((index) => index.name === name);
  return found ? [found] : fail('IndexNotFound', `index not found with name [${name}]`);
}

const dropIndexes: Command = {
  fields: ['index'],
  isWrite: true,
  // oxlint-disable-next-line require-yield -- every command is a generator
  *run(context): CommandRun {
    const collection =
      collectionOf(context) ?? fail('NamespaceNotFound', `ns not found ${context.database}.${nameOf(context)}`);
    const before = collection.indexes.length;
    const doomed = indexesToDrop(collection, context.args.required('index'));
    if (doomed.some((index) => index.id === 0)) throw new StoreError('InvalidOptions', 'cannot drop _id index');
    for (const index of doomed) catalogOf(context).dropIndex(collection, index);
    return { nIndexesWas: before };
  },
};

export const ddlCommands: Record<string, Command> = {
  create,
  drop,
  dropDatabase,
  listCollections,
  listDatabases,
  createIndexes,
  listIndexes,
  dropIndexes,
  deleteIndexes: dropIndexes,
};
