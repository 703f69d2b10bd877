import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve as resolvePath } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { ServerOptions } from './engine/server.ts';
import type { ReserveOptions } from './storage/reserve.ts';
import { StoreLink } from './link.ts';
import { startError, takeLock } from './lock-file.ts';
import type { WorkerReply } from './worker.ts';

export type EmbeddedMongoOptions = {
  /** The SQLite file that holds all databases. */
  file: string;
  /** Allows `configureFailPoint`, with which tests make commands fail. */
  testCommands?: boolean;
  /** A query that examines more documents than this fails: in tests it finds missing indexes. */
  maxExaminedDocuments?: number;
  /** A command or transaction that writes more documents than this fails: in tests it finds unbounded writes. */
  maxWrittenDocuments?: number;
  /** A query with conditions that no index narrows fails, however few documents there are. For tests, too. */
  needsIndex?: boolean;
  /**
   * How long after the start documents whose time is over stay. A minute unless given, as in MongoDB: what grew old
   * while the store stood still may be what somebody has yet to deal with. Who opens a file to copy it keeps them for
   * ever.
   */
  keepsExpiredMs?: number | undefined;
  /**
   * How long a transaction may stay open, also when whoever began it is gone: MongoDB's
   * `transactionLifetimeLimitSeconds`, and its minute unless given.
   */
  transactionLifetimeMs?: number;
  /**
   * Room that is held on the disk. Once only half as much is left beside it, writes that need room fail with
   * `OutOfDiskSpace`, but those to these databases use what was held; all go on when there is room again. Without it
   * they fail when the disk is full.
   */
  reserve?: ReserveOptions;
};

/** A running store. */
export type EmbeddedMongo = {
  /** Connection string for one database; several live in the same file. */
  uri(database: string): string;
  /** For this process: the same commands without driver and socket. None where a server stands for the store. */
  readonly link?: StoreLink;
  /** Answers what is under way, closes the file and releases its lock. */
  close(): Promise<void>;
};

const defaultKeepsExpiredMs = 60_000;
const exitMs = 8000;
const defaultTransactionLifetimeMs = 60_000;
/** The longest socket path that every supported system takes. */
const maxSocketPath = 100;

function socketFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-'));
  if (join(folder, 's.sock').length <= maxSocketPath) return folder;
  rmSync(folder, { recursive: true });
  throw startError(
    'data-unwritable',
    `the name of the temporary folder is too long for a socket: ${tmpdir()} (set TMPDIR to a shorter one)`,
  );
}

function prepareFolder(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw startError(
      'data-unwritable',
      `the data folder cannot be written: ${folder}: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
}

function asError(error: NonNullable<WorkerReply['error']>): Error {
  const isUnwritable = error.code === 'ERR_SQLITE_ERROR' && /readonly|unable to open|disk I\/O/.test(error.message);
  if (isUnwritable) return startError('data-unwritable', `the data cannot be written: ${error.message}`);
  return Object.assign(new Error(error.message), { code: error.code });
}

/** A thread, and its end. */
type Thread = { worker: Worker; ended: Promise<void> };

function startWorker(data: ServerOptions): Thread {
  const file = new URL(`./worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);
  const worker = new Worker(file, { workerData: data, transferList: [data.port], execArgv: [], env: {} });
  return { worker, ended: new Promise((resolve) => worker.once('exit', () => resolve())) };
}

/** The next answer of a worker; its death is an error. */
function nextReply(worker: Worker): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(new Error('the store has stopped'));
    worker.once('message', (reply: WorkerReply) => {
      worker.off('exit', stop);
      if (reply.error) reject(asError(reply.error));
      else resolve();
    });
    worker.once('error', (error) => reject(error instanceof Error ? error : new Error(String(error))));
    worker.once('exit', stop);
  });
}

/** Lets a worker that has finished end by itself: cutting it off while SQLite is torn down is not safe. */
async function untilEnded({ worker, ended }: Thread): Promise<void> {
  const timer = setTimeout(() => void worker.terminate(), exitMs);
  await ended;
  clearTimeout(timer);
}

function lockedFolder(file: string): { folder: string; release: () => void } {
  const folder = socketFolder();
  try {
    return { folder, release: takeLock(`${file}.lock`, folder) };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Starts the embedded document store in a worker thread. Fails with an error whose `code` is `data-folder-locked`
 * (another process uses the file; the message names its number), `data-newer` (a newer version wrote it) or
 * `data-unwritable`.
 */
export async function startEmbeddedMongo(options: EmbeddedMongoOptions): Promise<EmbeddedMongo> {
  const file = resolvePath(options.file);
  prepareFolder(file);
  const { folder, release } = lockedFolder(file);
  const socketPath = join(folder, 's.sock');
  const { port1: near, port2: far } = new MessageChannel();
  const link = new StoreLink(near);
  const thread = startWorker({
    file,
    socketPath,
    port: far,
    testCommands: options.testCommands ?? false,
    guard: {
      maxExamined: options.maxExaminedDocuments ?? Number.POSITIVE_INFINITY,
      needsIndex: options.needsIndex ?? false,
      maxWritten: options.maxWrittenDocuments ?? Number.POSITIVE_INFINITY,
    },
    keepsExpiredMs: options.keepsExpiredMs ?? defaultKeepsExpiredMs,
    transactionLifetimeMs: options.transactionLifetimeMs ?? defaultTransactionLifetimeMs,
    reserve: options.reserve,
  });
  const cleanUp = async (): Promise<void> => {
    await untilEnded(thread);
    link.close();
    rmSync(folder, { recursive: true, force: true });
    release();
  };
  try {
    await nextReply(thread.worker);
  } catch (error) {
    await cleanUp();
    throw error;
  }
  const closeWorker = (): Promise<void> => {
    const closed = nextReply(thread.worker);
    thread.worker.postMessage('close');
    return closed;
  };
  let closing: Promise<void> | undefined;
  return {
    link,
    uri: (database) =>
      `mongodb://${encodeURIComponent(socketPath)}/${database}?directConnection=true&retryWrites=true&retryReads=true`,
    close: () => (closing ??= closeWorker().finally(cleanUp)),
  };
}
