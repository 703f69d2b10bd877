import type { CollectionContent, Doc, Operation, Requirement, SpecCase, SpecFile } from './spec-types.ts';

type LegacyOperation = {
  name: string;
  object?: string;
  arguments?: Doc;
  result?: unknown;
  error?: boolean;
  collectionOptions?: Doc;
  databaseOptions?: Doc;
};

type LegacyCase = {
  description: string;
  skipReason?: string;
  failPoint?: Doc;
  clientOptions?: Doc;
  sessionOptions?: { session0?: Doc; session1?: Doc };
  operations?: LegacyOperation[];
  operation?: LegacyOperation;
  outcome?: { error?: boolean; result?: unknown; collection?: { name?: string; data: Doc[] } };
};

type LegacyFile = {
  runOn?: { minServerVersion?: string; maxServerVersion?: string; topology?: string[] }[];
  minServerVersion?: string;
  maxServerVersion?: string;
  database_name?: string;
  collection_name?: string;
  data?: Doc[];
  tests: LegacyCase[];
};

const errorKeys = ['errorContains', 'errorCodeName', 'errorCode', 'errorLabelsContain', 'errorLabelsOmit'];

function expectation(result: unknown, isError: boolean | undefined): Pick<Operation, 'expectError' | 'expectResult'> {
  const isErrorResult = typeof result === 'object' && result !== null && errorKeys.some((key) => key in result);
  if (isErrorResult)
    return {
      expectError: {
        isError: true,
        ...Object.fromEntries(Object.entries(result as Doc).filter(([key]) => errorKeys.includes(key))),
      },
    };
  if (isError) return { expectError: { isError: true } };
  return result === undefined ? {} : { expectResult: result };
}

/** Names of older formats in the unified spelling. */
function adaptArguments(operation: LegacyOperation): Doc {
  const { requests, callback, options, ...rest } = (operation.arguments ?? {}) as {
    requests?: { name: string; arguments: Doc }[];
    callback?: { operations: LegacyOperation[] };
    options?: Doc;
  };
  return {
    ...rest,
    ...(operation.name === 'withTransaction' ||
    operation.name === 'startTransaction' ||
    operation.name === 'insertMany' ||
    operation.name === 'bulkWrite'
      ? options
      : options === undefined
        ? {}
        : { options }),
    ...(requests ? { requests: requests.map((request) => ({ [request.name]: request.arguments })) } : {}),
    ...(callback ? { callback: callback.operations.map(adaptOperation) } : {}),
  };
}

function objectOf(operation: LegacyOperation): string {
  const { object } = operation;
  if (object === undefined || object === 'collection') return 'collection0';
  if (object === 'database') return 'database0';
  return object === 'client' ? 'client0' : object;
}

function adaptOperation(operation: LegacyOperation): Operation {
  const name = operation.name === 'targetedFailPoint' ? 'failPoint' : operation.name;
  return {
    name,
    object: objectOf(operation),
    arguments: adaptArguments(operation),
    ...expectation(operation.result, operation.error),
    isLenient: true,
    collectionOptions: operation.collectionOptions,
  };
}

function adaptCase(test: LegacyCase, names: { databaseName: string; collectionName: string }): SpecCase {
  const failPoint: Operation[] = test.failPoint
    ? [{ name: 'failPoint', object: 'testRunner', arguments: { failPoint: test.failPoint } }]
    : [];
  const single = test.operation && {
    ...test.operation,
    result: test.outcome?.result ?? test.operation.result,
    error: test.outcome?.error ?? test.operation.error,
  };
  const operations = (test.operations ?? (single ? [single] : [])).map(adaptOperation);
  const expected = test.outcome?.collection;
  const outcome: CollectionContent[] = expected
    ? [
        {
          databaseName: names.databaseName,
          collectionName: expected.name ?? names.collectionName,
          documents: expected.data,
        },
      ]
    : [];
  return {
    description: test.description,
    skipReason: test.skipReason,
    operations: [...failPoint, ...operations],
    outcome,
    createEntities: [
      { client: { id: 'client0', uriOptions: test.clientOptions ?? {} } },
      { database: { id: 'database0', client: 'client0', databaseName: names.databaseName } },
      { collection: { id: 'collection0', database: 'database0', collectionName: names.collectionName } },
      { session: { id: 'session0', client: 'client0', sessionOptions: test.sessionOptions?.session0 ?? {} } },
      { session: { id: 'session1', client: 'client0', sessionOptions: test.sessionOptions?.session1 ?? {} } },
    ],
  };
}

function requirementsOf(file: LegacyFile): Requirement[] {
  const { minServerVersion, maxServerVersion } = file;
  if (file.runOn)
    return file.runOn.map(({ topology, ...rest }) => ({ ...rest, ...(topology ? { topologies: topology } : {}) }));
  return minServerVersion || maxServerVersion ? [{ minServerVersion, maxServerVersion }] : [];
}

/** Brings a file of the older formats into the unified one. */
export function adaptLegacy(content: Doc): SpecFile {
  const file = content as unknown as LegacyFile;
  const names = { databaseName: file.database_name ?? 'legacy-tests', collectionName: file.collection_name ?? 'test' };
  return {
    group: '',
    name: '',
    description: '',
    runOnRequirements: requirementsOf(file),
    initialData: [{ ...names, documents: file.data ?? [] }],
    tests: file.tests.map((test) => adaptCase(test, names)),
  };
}
