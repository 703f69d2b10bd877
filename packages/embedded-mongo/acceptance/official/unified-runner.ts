import { MongoServerError } from 'mongodb';
import { reasonOutside } from './contract.ts';
import { Entities } from './entities.ts';
import { match, matchDocuments, Mismatch } from './matching.ts';
import { execute, NotRun } from './operations.ts';
import type { Doc, Operation, Requirement, SpecCase, SpecFile } from './spec-types.ts';

/**
 * How a case ended. `refused`: an operation failed with an error instead of a result; `wrong`: a result or content
 * differs.
 */
export type Verdict = {
  name: string;
  group: string;
  outside: string | undefined;
  end: 'passed' | 'skipped' | 'refused' | 'wrong' | 'not-run';
  detail: string;
};

const serverVersion = [7, 0, 0];
const caseTimeoutMs = 20_000;

class Refused extends Error {}

function compareVersion(text: string): number {
  const parts = text.split('.').map(Number);
  for (const [at, part] of parts.entries()) if (part !== serverVersion[at]) return serverVersion[at]! - part;
  return 0;
}

function meets(requirement: Requirement): boolean {
  const { minServerVersion, maxServerVersion, topologies, auth, csfle } = requirement;
  if (minServerVersion && compareVersion(minServerVersion) < 0) return false;
  if (maxServerVersion && compareVersion(maxServerVersion) > 0) return false;
  return auth !== true && csfle !== true && (topologies === undefined || topologies.includes('replicaset'));
}

function isForThisServer(file: SpecFile, test: SpecCase): boolean {
  const fits = (list: Requirement[] | undefined): boolean =>
    list === undefined || list.length === 0 || list.some(meets);
  return fits(file.runOnRequirements) && fits(test.runOnRequirements);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function labelsOf(error: unknown): string[] {
  return error instanceof Error && 'errorLabels' in error ? (error.errorLabels as string[]) : [];
}

function checkError(expected: Doc, error: Error): void {
  const fields = error as Error & { code?: number; codeName?: string; result?: unknown; errorResponse?: Doc };
  const got = `${error.message} (${fields.codeName ?? fields.code ?? error.name})`;
  const need = (holds: boolean, what: string): void => {
    if (!holds) throw new Refused(`expected an error with ${what}, got ${got} ${labelsOf(error).join()}`);
  };
  if (expected.isClientError === true) need(!(error instanceof MongoServerError), 'the client as its source');
  if (expected.isClientError === false) need(error instanceof MongoServerError, 'the server as its source');
  if (expected.errorContains !== undefined)
    need(
      error.message.toLowerCase().includes(text(expected.errorContains).toLowerCase()),
      `text ${text(expected.errorContains)}`,
    );
  if (expected.errorCode !== undefined) need(fields.code === expected.errorCode, `code ${text(expected.errorCode)}`);
  if (expected.errorCodeName !== undefined)
    need(
      fields.codeName === expected.errorCodeName || fields.codeName === undefined,
      `code name ${text(expected.errorCodeName)}`,
    );
  for (const label of (expected.errorLabelsContain ?? []) as string[])
    need(labelsOf(error).includes(label), `label ${label}`);
  for (const label of (expected.errorLabelsOmit ?? []) as string[])
    need(!labelsOf(error).includes(label), `no label ${label}`);
  if (expected.errorResponse !== undefined) match(expected.errorResponse, fields.errorResponse, { isRoot: true });
  if (expected.expectResult !== undefined) match(expected.expectResult, fields.result, { isRoot: true });
}

function lenientResult(expected: unknown, result: unknown): unknown {
  const isDoc = typeof expected === 'object' && expected !== null && !Array.isArray(expected);
  return isDoc && Object.keys(expected).length === 0 ? {} : result;
}

class CaseRunner {
  private readonly entities: Entities;
  private readonly admin: Entities;

  constructor(entities: Entities, admin: Entities) {
    this.entities = entities;
    this.admin = admin;
  }

  /** Inside a callback the errors go on to the driver, which decides whether to retry. */
  async runAll(operations: Operation[], isCallback = false): Promise<void> {
    for (const operation of operations) await this.runOne(operation, isCallback);
  }

  private async runOne(operation: Operation, isCallback: boolean): Promise<void> {
    let result: unknown;
    try {
      result = await execute(operation, {
        entities: this.entities,
        admin: this.admin,
        runAll: (list) => this.runAll(list, true),
      });
    } catch (error) {
      if (error instanceof NotRun || error instanceof Mismatch || error instanceof Refused) throw error;
      if (operation.expectError === undefined) {
        if (isCallback) throw error;
        throw new Refused(
          `${operation.name} failed: ${(error as Error).message} (${text((error as { code?: unknown }).code ?? (error as Error).name)})`,
        );
      }
      checkError(operation.expectError, error as Error);
      if (isCallback) throw error;
      return;
    }
    if (operation.expectError !== undefined)
      throw new Mismatch(`${operation.name} should have failed with ${JSON.stringify(operation.expectError)}`);
    if (operation.expectResult === undefined) return;
    const expected = operation.expectResult;
    match(expected, operation.isLenient ? lenientResult(expected, result) : result, {
      isRoot: true,
      isLenient: operation.isLenient,
    });
  }
}

async function prepare(file: SpecFile, admin: Entities): Promise<void> {
  const client = admin.clients.get('admin')!;
  await client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' });
  await client.db('admin').command({ killAllSessions: [] });
  for (const { databaseName, collectionName, documents } of file.initialData ?? []) {
    const database = client.db(databaseName);
    await database.dropCollection(collectionName);
    if (documents.length === 0) await database.createCollection(collectionName);
    else await database.collection(collectionName).insertMany(documents);
  }
}

async function checkOutcome(test: SpecCase, admin: Entities): Promise<void> {
  for (const { databaseName, collectionName, documents } of test.outcome ?? []) {
    const actual = await admin.clients
      .get('admin')!
      .db(databaseName)
      .collection(collectionName)
      .find()
      .sort({ _id: 1 })
      .toArray();
    matchDocuments(documents, actual, `${databaseName}.${collectionName}`);
  }
}

async function attempt(file: SpecFile, test: SpecCase, context: { uri: string; admin: Entities }): Promise<void> {
  await prepare(file, context.admin);
  const entities = new Entities(context.uri);
  try {
    for (const description of [...(file.createEntities ?? []), ...(test.createEntities ?? [])])
      await entities.create(description);
    await new CaseRunner(entities, context.admin).runAll(test.operations);
    for (const session of entities.sessions.values()) await session.endSession();
    await checkOutcome(test, context.admin);
  } finally {
    await entities.close();
  }
}

function endOf(error: unknown): Verdict['end'] {
  if (error instanceof NotRun) return 'not-run';
  return error instanceof Mismatch ? 'wrong' : 'refused';
}

/** Runs one case of a file. */
async function runCase(file: SpecFile, test: SpecCase, context: { uri: string; admin: Entities }): Promise<Verdict> {
  const base = { name: `${file.name}: ${test.description}`, group: file.group, outside: reasonOutside(file, test) };
  if (test.skipReason !== undefined) return { ...base, end: 'skipped', detail: test.skipReason };
  if (!isForThisServer(file, test))
    return { ...base, end: 'skipped', detail: 'for another server version or topology' };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Refused(`no end after ${caseTimeoutMs} ms`)), caseTimeoutMs);
  });
  try {
    await Promise.race([attempt(file, test, context), timeout]);
    return { ...base, end: 'passed', detail: '' };
  } catch (error) {
    return { ...base, end: endOf(error), detail: (error as Error).message };
  } finally {
    clearTimeout(timer);
  }
}

/** Runs the official cases against a store. */
export async function runOfficialCases(files: SpecFile[], uri: string): Promise<Verdict[]> {
  const admin = new Entities(uri);
  await admin.create({ client: { id: 'admin', uriOptions: {} } });
  const verdicts: Verdict[] = [];
  try {
    for (const file of files) for (const test of file.tests) verdicts.push(await runCase(file, test, { uri, admin }));
  } finally {
    await admin.close();
  }
  return verdicts;
}
