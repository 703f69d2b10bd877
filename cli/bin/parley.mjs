#!/usr/bin/env node
// Kept to syntax that any Node understands: its first duty is to say that a Node is too old.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const oldestNode = 24;
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

if (Number(process.versions.node.split('.')[0]) < oldestNode) {
  process.stderr.write(
    `parley: Node ${process.versions.node} is too old, ${oldestNode} or newer is needed: start it with \`npm start\` or \`npx parley\`, which bring their own.\n`,
  );
  process.exit(1);
}
await buildIfNeeded();
// Compiled code of an earlier start: a third of the way to ready. Beside the code, not in a shared temporary folder.
module.enableCompileCache?.(join(root, 'node_modules/.cache/parley'));
await import(pathToFileURL(join(here, '../dist/cli.js')).href);

/** In a checkout the build runs first; it takes a tenth of a second when nothing has changed. */
async function buildIfNeeded() {
  if (process.env.PARLEY_SKIP_BUILD === '1' || !existsSync(join(root, 'turbo.json'))) return;
  if (!existsSync(join(here, '../dist/cli.js')))
    process.stdout.write('Building Parley before its first start. This takes about a minute.\n');
  const { runTurbo } = await import('@parley/tooling/run-turbo.mjs');
  if (runTurbo('build') !== 0) process.exit(1);
}
