import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const readyWithinMs = 300_000;
const stopWithinMs = 120_000;

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null };
export type ProductOptions = {
  readonly folder: string;
  readonly port: number;
  readonly variables: Record<string, string>;
  readonly hook: string | null;
};

export function buildProduct(): void {
  const { status } = spawnSync(process.execPath, [join(root, 'packages/tooling/src/run-turbo.mjs'), 'build'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The build failed.');
}

/** The built product as a process of its own, started again and again on one data folder and one port. */
export class Product {
  url = '';
  /** Registers the first platform admin; null once there is one. */
  setupToken: string | null = null;
  /** How many processes there have been. */
  life = 0;
  readonly options: ProductOptions;
  private child: ChildProcess | null = null;
  private ending: Promise<Ended> = Promise.resolve({ code: 0, signal: null });
  private errors = '';

  constructor(options: ProductOptions) {
    this.options = options;
    process.on('exit', () => this.child?.kill('SIGKILL'));
  }

  /** Resolves when it is ready; false when it ended before. */
  async start(variables: Record<string, string> = {}): Promise<boolean> {
    this.life += 1;
    this.errors = '';
    const { folder, port, hook } = this.options;
    const hooks = hook === null ? [] : ['--import', hook];
    const child = spawn(
      process.execPath,
      [...hooks, join(root, 'cli/dist/cli.js'), '--data', folder, '--port', String(port), '--registration', 'open'],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, PARLEY_LOG_LEVEL: 'warn', ...this.options.variables, ...variables },
      },
    );
    this.child = child;
    child.stderr.on('data', (chunk: Buffer) => (this.errors = (this.errors + chunk.toString()).slice(-4_000)));
    this.ending = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.child = null;
        resolve({ code, signal });
      });
    });
    const ready = new Promise<boolean>((resolve) => {
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const [, url] = /Parley is ready at (http:\/\/[^\s;]+).*\n/.exec(output) ?? [];
        if (url === undefined) return;
        this.url = url;
        this.setupToken = /[?&]setup=([^\s&]+)/.exec(output)?.[1] ?? null;
        resolve(true);
      });
    });
    return within(readyWithinMs, 'the product should be ready', Promise.race([ready, this.ending.then(() => false)]));
  }

  ended(withinMs: number): Promise<Ended> {
    return within(withinMs, 'the process should end', this.ending);
  }

  /** Of the process that runs; undefined while none does. */
  get pid(): number | undefined {
    return this.child?.pid;
  }

  get said(): string {
    return this.errors.trim();
  }

  async kill(): Promise<Ended> {
    this.child?.kill('SIGKILL');
    return this.ended(stopWithinMs);
  }

  /** As an operator stops it. */
  async stop(): Promise<Ended> {
    this.child?.kill('SIGTERM');
    return this.ended(stopWithinMs);
  }
}

/** Something took too long: on a busy machine that says little about the product. */
export class TooLate extends Error {}

/** Rejects with `TooLate` if there is no result after `ms`. */
export async function within<Result>(ms: number, what: string, result: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TooLate(`Not so after ${ms} ms: ${what}`)), ms);
  });
  try {
    return await Promise.race([result, late]);
  } finally {
    clearTimeout(timer);
  }
}
