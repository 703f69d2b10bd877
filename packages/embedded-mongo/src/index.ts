import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve as resolvePath } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ServerOptions } from './engine/server.ts';
import { startError, takeLock } from './lock-file.ts';
import type { WorkerReply, WorkerRequest } from './worker.ts';

export type EmbeddedMongoOptions = {
  /** The SQLite file that holds all databases. */
  file: string;
  /** Allows `configureFailPoint`, with which tests make commands fail. */
  testCommands?: boolean;
  /** A query that examines more documents than this fails: in tests it finds missing indexes. */
  maxExaminedDocuments?: number;
};

/** A running store. */
export type EmbeddedMongo = {
  /** Connection string for one database; several live in the same file. */
  uri(database: string): string;
  /** Writes a consistent, durable copy of the running store to a new file. */
  backup(file: string): Promise<void>;
  /** Answers what is under way, closes the file and releases its lock. */
  close(): Promise<void>;
};

/** The longest socket path that every supported system takes. */
const maxSocketPath = 100;

function socketFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'));
  if (join(folder, 's.sock').length <= maxSocketPath) return folder;
  rmSync(folder, { recursive: true });
  return mkdtempSync('/tmp/parley-');
}

function prepareFolder(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw startError('data-unwritable', `the data folder cannot be written: ${folder}: ${(error as NodeJS.ErrnoException).code}`);
  }
}

function asError(error: NonNullable<WorkerReply['error']>): Error {
  const isUnwritable = error.code === 'ERR_SQLITE_ERROR' && /readonly|unable to open|disk I\/O/.test(error.message);
  if (isUnwritable) return startError('data-unwritable', `the data cannot be written: ${error.message}`);
  return Object.assign(new Error(error.message), { code: error.code });
}

/** Speaks with the worker: one promise per request, all of which fail when it dies. */
class WorkerLink {
  readonly worker: Worker;
  private readonly waiting = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  private nextId = 1;

  constructor(options: ServerOptions) {
    const file = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
    this.worker = new Worker(file, { workerData: options, execArgv: [], env: {} });
    this.worker.on('message', (reply: WorkerReply) => this.settle(reply));
    this.worker.on('error', (error) => this.failAll(error instanceof Error ? error : new Error(String(error))));
    this.worker.on('exit', () => this.failAll(new Error('the store has stopped')));
  }

  private settle(reply: WorkerReply): void {
    const waiter = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (reply.error) waiter?.reject(asError(reply.error));
    else waiter?.resolve();
  }

  private failAll(error: Error): void {
    for (const waiter of this.waiting.values()) waiter.reject(error);
    this.waiting.clear();
  }

  /** Resolves when the server listens. */
  started(): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.set(0, { resolve, reject }));
  }

  ask(request: { kind: 'backup'; file: string } | { kind: 'close' }): Promise<void> {
    const id = this.nextId++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, ...request } satisfies WorkerRequest);
    });
  }
}

/**
 * Starts the embedded document store in a worker thread. Fails with an error whose `code` is `data-folder-locked` (another
 * process uses the file; the message names its number), `data-newer` (a newer version wrote it) or `data-unwritable`.
 */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const file = resolvePath(options.file);
  prepareFolder(file);
  const release = takeLock(`${file}.lock`);
  const folder = socketFolder();
  const socketPath = join(folder, 's.sock');
  const link = new WorkerLink({ file, socketPath, testCommands: options.testCommands ?? false, maxExamined: options.maxExaminedDocuments ?? Number.POSITIVE_INFINITY });
  const cleanUp = async (): Promise<void> => {
    await link.worker.terminate();
    rmSync(folder, { recursive: true, force: true });
    release();
  };
  try {
    await link.started();
  } catch (error) {
    await cleanUp();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    uri: (database) => `mongodb://${encodeURIComponent(socketPath)}/${database}?directConnection=true&retryWrites=true&retryReads=true`,
    backup: (target) => link.ask({ kind: 'backup', file: resolvePath(target) }),
    close: () => (closing ??= link.ask({ kind: 'close' }).finally(cleanUp)),
  };
}
