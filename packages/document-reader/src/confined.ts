import { spawn, type ChildProcess, type ChildProcessByStdio } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Progress } from './progress.ts';

const lookEveryMs = 50;

/** Why there is no answer of a process: it was ended, or ended itself. */
export type Stopped = { readonly failure: 'took-too-long' | 'took-too-much-memory' | 'reader-stopped' };

/** How a process that reads what anybody sends is started. It opens no other files than its own code. */
export type Program = {
  /** The file that is run. It and its folder can be read. */
  readonly entry: string;
  readonly args: readonly string[];
  /** Those it may load. */
  readonly packages: readonly string[];
  /** Whether these have machine code: Node's permissions then bind only what is written in JavaScript. */
  readonly hasMachineCode: boolean;
  readonly heapMb: number;
  /** With what is beside the heap, which V8 does not bound. Looked after every few milliseconds. */
  readonly mostMemoryBytes: number;
  readonly mostOutputBytes: number;
};
export type Run = {
  readonly timeoutMs: number;
  /** Ends the process before its time, or keeps it from starting; the answer says `reader-stopped`. */
  readonly signal?: AbortSignal;
  readonly onProgress?: Progress;
};
type Ended = { readonly code: number | null; readonly output: Buffer };

/**
 * Runs a program in a process of its own, with `content` on standard input: no other programs or threads, no files but its
 * own code, no environment, limited memory, killed after `timeoutMs`. Where memory or time run out, the answer says which;
 * one that was ended otherwise is `reader-stopped`. What it has written counts only with the code that says so. When the
 * service is killed itself, the system ends what it has started (see `bounded`).
 */
export async function runConfined(content: Readable, program: Program, run: Run): Promise<Ended | Stopped> {
  try {
    // A signal tells nobody who listens after it: the process would run until its time is over.
    if (run.signal?.aborted) return { failure: 'reader-stopped' };
    return await runToItsEnd(content, program, run);
  } finally {
    // A process that could not be started has read nothing: the file would stay open.
    content.destroy();
  }
}

async function runToItsEnd(content: Readable, program: Program, run: Run): Promise<Ended | Stopped> {
  const child = start(program, run);
  let stopped: Stopped | null = null;
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
  const timer = setTimeout(() => stop('took-too-long'), run.timeoutMs);
  const breakOff = (): void => stop('reader-stopped');
  run.signal?.addEventListener('abort', breakOff);
  const watch = setInterval(() => {
    if (memoryOf(child) > program.mostMemoryBytes) stop('took-too-much-memory');
  }, lookEveryMs);
  // A file that breaks off would be read as if it were whole.
  const feeding = pipeline(content, child.stdin).catch(() => stop('reader-stopped'));
  const output = collect(child.stdout, program.mostOutputBytes, () => stop('took-too-much-memory'));
  tellProgress(child, run.onProgress);
  const code = await exit;
  clearTimeout(timer);
  clearInterval(watch);
  run.signal?.removeEventListener('abort', breakOff);
  await feeding;
  return stopped ?? (code === null ? { failure: 'reader-stopped' } : { code, output: output() });
}

function start(program: Program, { timeoutMs }: Run): ChildProcessByStdio<Writable, Readable, null> {
  const node = [
    process.execPath,
    '--permission',
    ...(program.hasMachineCode ? ['--allow-addons'] : []),
    ...ownCode(program).map((path) => `--allow-fs-read=${path}`),
    '--no-warnings',
    `--max-old-space-size=${program.heapMb}`,
    program.entry,
    ...program.args,
  ];
  const [command = '', ...args] = process.platform === 'win32' ? node : bounded(node, timeoutMs);
  const child = spawn(command, args, {
    env: {},
    stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
  }) as ChildProcess as ChildProcessByStdio<Writable, Readable, null>;
  giveWay(child);
  return child;
}

/**
 * A command that the system ends once it has used twice its time on a core, and lets write no file and no core dump. A
 * process whose service was killed has nobody left who would stop it, and one that is busy without an end doesn't notice.
 */
const bounded = (command: readonly string[], timeoutMs: number): string[] => {
  const seconds = Math.ceil((2 * timeoutMs) / 1_000);
  return ['/bin/sh', '-c', 'ulimit -t "$0" && ulimit -c 0 && ulimit -f 0 && exec "$@"', String(seconds), ...command];
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

/**
 * What it has of the machine's memory, where the system says so (Linux); 0 elsewhere, and once it has ended. Read in
 * place: the system makes the file up in microseconds, while a promise takes six times its CPU time, and waits while all
 * threads for files are busy.
 */
function memoryOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** Lines of two numbers. What a parser that was talked into something writes there changes no more than a bar. */
function tellProgress(child: ChildProcess, onProgress: Progress = () => {}): void {
  child.stdio[3]?.on('data', (chunk: Buffer) => {
    const [, done, of] = /(\d{1,6}) (\d{1,6})\n$/.exec(chunk.toString('latin1')) ?? [];
    if (Number(of) > 0) onProgress(Math.min(Number(done), Number(of)), Number(of));
  });
}

/** Its folder, its packages and, by their exact names, the files in which Node looks for these on its way up. */
function ownCode({ entry, packages }: Program): string[] {
  const folder = dirname(entry);
  const paths = [join(folder, '*')];
  for (let at = folder; at !== dirname(at); at = dirname(at))
    paths.push(join(at, 'package.json'), ...packages.map((name) => join(at, 'node_modules', name, '*')));
  return paths;
}
