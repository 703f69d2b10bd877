// Loads TypeScript with decorators straight from source: `node --conditions=parley-source --import …/register.mjs
// file.ts`.
import { transformSync, version } from '@swc/core';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { swcOptionsFor } from './swc-options.mjs';

/** Tests start hundreds of processes from the same source: each file is translated once, by its content. */
const cache = join(import.meta.dirname, '../../../node_modules/.cache/parley/translated');
mkdirSync(cache, { recursive: true });

/**
 * The fault to plant (packages/testing/src/faults): `{ file, planted, storeFolder }` as JSON. `planted` is a file with the
 * source of `file` and the fault; sources are never written to. The embedded store runs in a thread of its own, which these
 * hooks don't reach: `storeFolder` is a copy of its code with the fault.
 */
const fault = process.env.PARLEY_FAULT ? JSON.parse(process.env.PARLEY_FAULT) : undefined;
const storeEntry = '/packages/embedded-mongo/src/index.ts';

function sourceOf(filename) {
  if (fault && filename.endsWith(`/${fault.file}`)) return readFileSync(fault.planted, 'utf8');
  const source = readFileSync(filename, 'utf8');
  return fault?.storeFolder && filename.endsWith(storeEntry)
    ? source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(`${fault.storeFolder}/index.ts`).href))
    : source;
}

process.setSourceMapsEnabled(true);
registerHooks({
  load(url, context, nextLoad) {
    // A query makes another module of the same file.
    const [file] = url.split('?');
    if (!/\.tsx?$/.test(file) || file.includes('/node_modules/')) return nextLoad(url, context);
    const filename = fileURLToPath(file);
    const options = swcOptionsFor(filename);
    options.sourceMaps = 'inline';
    options.jsc = { ...options.jsc, rewriteRelativeImportExtensions: false };
    return { format: 'module', source: translate(sourceOf(filename), options), shortCircuit: true };
  },
});

function translate(source, options) {
  const key = createHash('sha256')
    .update(`${version}\0${JSON.stringify(options)}\0${source}`)
    .digest('hex');
  const kept = join(cache, `${key}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { code } = transformSync(source, options);
    // Whole or not at all, also where several processes begin at once.
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
    return code;
  }
}
