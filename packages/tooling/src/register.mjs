// Loads TypeScript with decorators straight from source: `node --conditions=parley-source --import …/register.mjs
// file.ts`.
import { transformSync } from '@swc/core';
import { registerHooks } from 'node:module';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { swcOptionsFor } from './swc-options.mjs';

process.setSourceMapsEnabled(true);
registerHooks({
  load(url, context, nextLoad) {
    if (!/\.tsx?$/.test(url) || url.includes('/node_modules/')) return nextLoad(url, context);
    const filename = fileURLToPath(url);
    const options = swcOptionsFor(filename);
    options.sourceMaps = 'inline';
    options.jsc = { ...options.jsc, rewriteRelativeImportExtensions: false };
    const { code } = transformSync(readFileSync(filename, 'utf8'), options);
    return { format: 'module', source: code, shortCircuit: true };
  },
});
