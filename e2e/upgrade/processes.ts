import { spawnSync } from 'node:child_process';
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

const importable = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

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
