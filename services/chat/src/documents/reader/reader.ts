import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type { PageLinks } from './read-links.ts';
import type { Progress, ReaderAnswer } from './split-document.ts';

export type { PageLinks } from './read-links.ts';

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const pathOf = (name: string): string => fileURLToPath(new URL(`./${name}.${extension}`, import.meta.url));
const heapMb = 512;
/** With what a parser unpacks beside the heap, which V8 does not bound. Looked after every few milliseconds. */
const mostMemoryBytes = 700_000_000;
const lookEveryMs = 50;
const mostOutputBytes = 120_000_000;
const packages = [
  'parse5',
  'entities',
  'saxes',
  'xmlchars',
  'unpdf',
  'mammoth',
  'fflate',
  'read-excel-file',
  'saxen',
  'papaparse',
  'postal-mime',
];

/** Why there is no answer of a reader: it was ended, or ended itself. */
export type Stopped = { readonly failure: 'took-too-long' | 'took-too-much-memory' | 'reader-stopped' };
type ReadOptions = {
  readonly mediaType: string;
  readonly timeoutMs: number;
  /** Ends the process before its time; the answer says `reader-stopped`. */
  readonly signal?: AbortSignal;
  readonly onProgress?: Progress;
};
type Reading = ReadOptions & {
  /** The file of the module whose `splitDocument` is called. */
  readonly splitter: string;
};

/**
 * Reads a document in a process of its own, which gets the file on standard input and opens no other than its own code:
 * no network, no other programs or threads, no environment, limited memory, killed after `timeoutMs`. Where memory or
 * time run out, the answer says which; a reader that dies otherwise or answers nonsense is `reader-stopped`. The service
 * goes on; when it is killed itself, the system ends its readers (see `bounded`). `onProgress` is told now and then how
 * many pages are read.
 */
export function readDocument(content: Readable, options: ReadOptions): Promise<ReaderAnswer | Stopped> {
  return readConfined(content, { ...options, splitter: pathOf('split-document') });
}

/** The title of a page and where it leads, or what a sitemap lists, in such a process too. */
export function readLinks(content: Readable, options: ReadOptions): Promise<PageLinks | Stopped> {
  return readConfined<PageLinks>(content, { ...options, splitter: pathOf('read-links') });
}

/** As `readDocument`, with any module beside this one as the splitter. */
export async function readConfined<Answer = ReaderAnswer>(
  content: Readable,
  reading: Reading,
): Promise<Answer | Stopped> {
  try {
    return await readByProcess<Answer>(content, reading);
  } finally {
    // A process that could not be started has read nothing: the file would stay open.
    content.destroy();
  }
}

async function readByProcess<Answer>(content: Readable, reading: Reading): Promise<Answer | Stopped> {
  const child = start(reading);
  let stopped: Stopped = { failure: 'reader-stopped' };
  const stop = (failure: Stopped['failure']): void => {
    if (child.exitCode !== null || child.signalCode !== null || child.killed) return;
    stopped = { failure };
    child.kill('SIGKILL');
  };
  const exit = new Promise<number | null>((resolve) => {
    child.once('close', (code, signal) => {
      // What V8 ends with when its heap is full.
      if (signal === 'SIGABRT' || code === 134) stopped = { failure: 'took-too-much-memory' };
      resolve(code);
    });
    child.once('error', () => resolve(null));
  });
  const timer = setTimeout(() => stop('took-too-long'), reading.timeoutMs);
  const breakOff = (): void => stop('reader-stopped');
  reading.signal?.addEventListener('abort', breakOff);
  const watch = setInterval(
    () => void memoryOf(child).then((bytes) => bytes > mostMemoryBytes && stop('took-too-much-memory')),
    lookEveryMs,
  );
  // A file that breaks off would be read as if it were whole.
  const feeding = pipeline(content, child.stdin).catch(() => stop('reader-stopped'));
  const answered = collect(child.stdout, mostOutputBytes, () => stop('took-too-much-memory'));
  tellProgress(child, reading.onProgress);
  const code = await exit;
  clearTimeout(timer);
  clearInterval(watch);
  reading.signal?.removeEventListener('abort', breakOff);
  await feeding;
  if (code !== 0) return stopped;
  try {
    return JSON.parse(answered().toString('utf8')) as Answer;
  } catch {
    return stopped;
  }
}

function start({ splitter, mediaType, timeoutMs }: Reading): ChildProcessByStdio<Writable, Readable, null> {
  const reader = [
    process.execPath,
    '--permission',
    ...ownCode().map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
    `--max-old-space-size=${heapMb}`,
    pathOf('read-document'),
    splitter,
    mediaType,
  ];
  const [program = '', ...args] = process.platform === 'win32' ? reader : bounded(reader, timeoutMs);
  const child = spawn(program, args, {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  }) as ChildProcess as ChildProcessByStdio<Writable, Readable, null>;
  giveWay(child);
  return child;
}

/**
 * A command that the system ends once it has used twice its time on a core. A reader whose service was killed has nobody
 * left who would stop it, and one that is busy without an end doesn't notice.
 */
const bounded = (command: readonly string[], timeoutMs: number): string[] => {
  const seconds = Math.ceil((2 * timeoutMs) / 1_000);
  return ['/bin/sh', '-c', 'ulimit -t "$0" && exec "$@"', String(seconds), ...command];
};

/** On a busy machine requests go first. Best effort: the system may refuse, and the process may be gone. */
function giveWay({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is read at the usual priority then.
  }
}

function collect(from: Readable, most: number, onTooMuch: () => void): () => Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  from.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > most) onTooMuch();
    else chunks.push(chunk);
  });
  return () => Buffer.concat(chunks);
}

/** What it has of the machine's memory, where the system says so (Linux); 0 elsewhere, and once it has ended. */
async function memoryOf({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
}

/** Lines of two numbers. What a parser that was talked into something writes there changes no more than a bar. */
function tellProgress(child: ChildProcess, onProgress: Progress = () => {}): void {
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    const [, done, of] = /(\d{1,6}) (\d{1,6})\n$/.exec(chunk.toString('latin1')) ?? [];
    if (Number(of) > 0) onProgress(Math.min(Number(done), Number(of)), Number(of));
  });
}

/** The reader's folder, its packages and, by their exact names, the files in which Node looks for these on its way up. */
function ownCode(): string[] {
  const folder = dirname(pathOf('read-document'));
  const paths = [join(folder, '*')];
  for (let at = folder; at !== dirname(at); at = dirname(at))
    paths.push(join(at, 'package.json'), ...packages.map((name) => join(at, 'node_modules', name, '*')));
  return paths;
}
