import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Servers that the distributed edition stands on: their CPU is told beside Parley's. */
export type Server = 'Kafka' | 'Redis' | 'store';
export type CpuSeconds = { readonly parley: number; readonly servers: Readonly<Partial<Record<Server, number>>> };

/** A running edition: where it is and what it has used. */
export type Product = {
  readonly url: string;
  /** User and system, so far. */
  cpuSeconds(): CpuSeconds;
  /** Of all of Parley's processes. */
  rssMb(): number;
};

export type Started = {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly line: string;
  readonly readyMs: number;
  close(): Promise<void>;
};

/** Starts a process and waits for its first line. It ends with this one at the latest. */
export async function startProcess(
  args: readonly string[],
  environment: Record<string, string> = {},
): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const line = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) resolve(output.trim());
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  };
  return { child, pid: child.pid ?? 0, line, readyMs: performance.now() - startedAt, close };
}

const ticksPerSecond = 100;
/** CPU seconds, user and system, of all threads (Linux `/proc`). */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory in MB (Linux `/proc`). */
export function rssMbOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Percentile by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Calls `work` at a steady pace, whether or not earlier calls have ended, and waits for all. Gives their results in the
 * order of the calls.
 */
export async function atPace<Result>(
  { count, perSecond }: { count: number; perSecond: number },
  work: (at: number) => Promise<Result>,
): Promise<Result[]> {
  const startedAt = performance.now();
  const under: Promise<Result>[] = [];
  for (let at = 0; at < count; at += 1) {
    const early = startedAt + (at * 1_000) / perSecond - performance.now();
    if (early > 0) await wait(early);
    under.push(work(at));
  }
  return Promise.all(under);
}
