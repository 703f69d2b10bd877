// Emits src/**/*.ts of the current package to dist/ with swc. Tests are not emitted. Types are checked by `npm run
// typecheck`.
import { transformFile } from '@swc/core';
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { swcOptionsFor } from './swc-options.mjs';

const source = join(process.cwd(), 'src');
const target = join(process.cwd(), 'dist');
const isTest = (name) => /\.(spec|test|soak|faults)\.tsx?$/.test(name) || name.endsWith('.spec-setup.ts');

await rm(target, { recursive: true, force: true });
const entries = await readdir(source, { recursive: true, withFileTypes: true });
await Promise.all(entries.filter((entry) => entry.isFile() && !isTest(entry.name)).map(emit));

async function emit(entry) {
  const from = join(entry.parentPath, entry.name);
  const to = join(target, relative(source, from));
  await mkdir(dirname(to), { recursive: true });
  if (!entry.name.endsWith('.ts')) return cp(from, to);
  const { code, map } = await transformFile(from, swcOptionsFor(from));
  const out = to.replace(/\.ts$/, '.js');
  await writeFile(out, `${code}\n//# sourceMappingURL=${entry.name.replace(/\.ts$/, '.js')}.map\n`);
  await writeFile(`${out}.map`, map);
}
