import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { Mongo } from '@parley/platform/mongo';
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../accept-kill/product.ts';

const cli = join(root, 'cli/dist/cli.js');

/** Runs an operator's command to its end. Throws when it fails. */
export function runParley(args: readonly string[], settings: Record<string, string> = {}): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    env: { ...process.env, ...settings },
  });
  if (status !== 0) throw new Error(`parley ${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
  return stdout.toString();
}

/** Runs an operator's command, with a module that it imports first; resolves with how it ended. */
export function runParleyUntilEnd(
  args: readonly string[],
  { settings = {}, hook }: { readonly settings?: Record<string, string>; readonly hook?: string } = {},
): Promise<{ code: number | null; signal: NodeJS.Signals | null; output: string }> {
  const child = spawn(process.execPath, [...(hook === undefined ? [] : ['--import', hook]), cli, ...args], {
    env: { ...process.env, ...settings },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => void child.once('close', (code, signal) => resolve({ code, signal, output })));
}

/** Uses one database of a data folder whose Parley is stopped. */
export async function inStore<Result>(
  folder: string,
  use: (mongo: Mongo) => Promise<Result>,
  database = 'parley_org',
): Promise<Result> {
  const store = await startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
  const mongo = await Mongo.connect(store.uri(database));
  try {
    return await use(mongo);
  } finally {
    await mongo.close();
    await store.close();
  }
}

/** A module as a URL that `--import` takes. */
export const importable = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

/**
 * A process with this hook lives at another time: at `present` when it is called, and on from there. Budgets, sessions
 * and invitations are then as old as they were, whenever the check runs.
 */
export const clockHook = (present: string): string =>
  importable(`const behindMs = ${Date.now()} - ${Date.parse(present)};
const now = Date.now;
Date.now = () => now() - behindMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, given, like) => Reflect.construct(target, given.length === 0 ? [target.now()] : given, like),
  apply: (target) => new target(target.now()).toString(),
});`);

/** A process with this hook tells neither its machine's name nor where its program lies, in errors that it keeps. */
export const anonymousHook: string = importable(`import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';
os.hostname = () => 'fixture';
syncBuiltinESMExports();
Error.prepareStackTrace = (error, frames) =>
  [String(error), ...frames.map((frame) => '    at ' + frame)].join('\\n').replaceAll(${JSON.stringify(root)}, '/parley');`);
