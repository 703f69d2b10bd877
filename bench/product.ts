import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Started = { readonly child: ChildProcess; readonly line: string; readonly readyMs: number; close(): Promise<void> };

/** Starts a process and waits for its first line. */
export async function startProcess(args: readonly string[], environment: Record<string, string> = {}): Promise<Started> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env: { ...process.env, NODE_OPTIONS: '', ...environment }, stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes('\n')) resolve(output.trim());
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
  const close = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await gone;
  };
  return { child, line, readyMs: performance.now() - startedAt, close };
}

export type Product = Started & { readonly url: string; readonly folder: string };

/** The built product as `npm start` starts it, on a folder of its own, or on one that was used before. */
export async function startProduct(environment: Record<string, string>, folder = mkdtempSync(join(tmpdir(), 'parley-bench-'))): Promise<Product> {
  const started = await startProcess(['--max-semi-space-size=16', join(import.meta.dirname, '../packages/cli/bin/parley.mjs'), '--data', folder, '--port', '0'], {
    PARLEY_REGISTRATION: 'open', PARLEY_SKIP_BUILD: '1', MALLOC_ARENA_MAX: '2', ...environment,
  });
  return { ...started, url: /http:\/\/localhost:\d+/.exec(started.line)?.[0] ?? '', folder };
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });

const ticksPerSecond = 100;
/** CPU seconds, user and system, of all threads (Linux `/proc`). */
export function cpuSeconds(child: ChildProcess): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/** Resident memory in MB (Linux `/proc`). */
export function rssMb(child: ChildProcess): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/** Percentile by nearest rank. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
