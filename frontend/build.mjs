// Builds the browser part: messages, bundle, the reducer for Node, then the byte budgets. Silent when all is well.
// `--messages` stops after the messages, for `vite` in development.
import { lateTexts, pages, textPartsOf } from '@parley/contracts/pages';
import { transformFile } from '@swc/core';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, gzip, gzipSync } from 'node:zlib';
import { mergedChunks } from './merge-chunks.mjs';
import { swcOptionsFor } from '../packages/tooling/src/swc-options.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const locales = ['en', 'de', 'ar'];
/**
 * Texts of the visitor pages and of errors come with the first load. Errors that only somebody who is signed in can get
 * come with the shell.
 */
const firstLoadMessages =
  /^(visitor|signIn|register|problem\.(platform(?!\.(query|organisation)-)|auth(?!\.(api-key|picture))|bff(?!\.not-)|network)|language|clientError|notFound|form|role)\.|^problem\.org\.(invitation|address|inviter|seats)-/;
const textParts = [...new Set(pages.map(({ texts }) => texts)), ...lateTexts];
/** A text whose id begins with the name of a part comes with what needs it, any other with the shell. */
const partOf = (id) =>
  firstLoadMessages.test(id) ? 'first' : (textParts.find((part) => id.startsWith(`${part}.`)) ?? 'app');
/**
 * Largest first load in kB of gzipped JavaScript: all that the browser gets until one can type, with what is loaded by
 * itself meanwhile. What lays out answers comes after that, when the page is idle (`lib/when-idle.ts`).
 */
const budgets = [
  { path: '', kB: 130, meanwhile: [] },
  { path: 'chat', kB: 220, meanwhile: ['../node_modules/socket.io-client/build/esm/index.js'] },
];

const formatjs = join(dirname(createRequire(import.meta.url).resolve('@formatjs/cli/package.json')), 'bin/formatjs');

async function runFormatjs(args) {
  try {
    await promisify(execFile)(process.execPath, [formatjs, ...args], { cwd: here });
  } catch (error) {
    throw new Error(`Messages: formatjs ${args[0]} failed.\n${error.stdout ?? ''}${error.stderr ?? ''}`);
  }
}

/**
 * English comes from the source code, the other locales from messages/; all must have the same keys and placeholders.
 */
async function compileMessages() {
  const work = await mkdtemp(join(tmpdir(), 'parley-messages-'));
  try {
    const sources = (await readdir(join(here, 'src'), { recursive: true })).filter(
      (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name),
    );
    await writeFile(join(work, 'files'), sources.map((name) => `src/${name}`).join('\n'));
    await runFormatjs([
      'extract',
      '--in-file',
      join(work, 'files'),
      '--additional-function-names',
      't,rich',
      '--throws',
      '--out-file',
      join(work, 'extracted'),
    ]);
    const extracted = JSON.parse(await readFile(join(work, 'extracted'), 'utf8'));
    const english = Object.fromEntries(
      Object.entries(extracted)
        .map(([id, message]) => [id, message.defaultMessage])
        .sort(),
    );
    await writeFile(join(work, 'en.json'), JSON.stringify(english));
    for (const locale of locales.slice(1))
      await writeFile(join(work, `${locale}.json`), await readFile(join(here, 'messages', `${locale}.json`)));
    const files = locales.map((locale) => join(work, `${locale}.json`));
    await runFormatjs([
      'verify',
      '--source-locale',
      'en',
      '--missing-keys',
      '--extra-keys',
      '--structural-equality',
      ...files,
    ]);
    await mkdir(join(here, 'compiled-messages'), { recursive: true });
    await Promise.all(locales.map((locale) => compileLocale(work, locale)));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function compileLocale(work, locale) {
  const compiled = join(work, `${locale}.compiled`);
  await runFormatjs(['compile', '--format', 'simple', '--ast', '--out-file', compiled, join(work, `${locale}.json`)]);
  const all = Object.entries(JSON.parse(await readFile(compiled, 'utf8')));
  for (const part of textParts) {
    const messages = Object.fromEntries(all.filter(([id]) => partOf(id) === part));
    await writeFile(join(here, 'compiled-messages', `${locale}.${part}.json`), JSON.stringify(messages));
  }
}

/** Twice: what pages share is known after the first one (`merge-chunks.mjs`). */
async function bundle(build) {
  const { output } = await build({ root: here, build: { write: false } });
  const names = mergedChunks(output.filter(({ type }) => type === 'chunk'));
  const groups = [{ debugName: 'pages', name: (id) => names.get(id) ?? null }];
  const codeSplitting = { includeDependenciesRecursively: false, groups };
  await build({ root: here, build: { rolldownOptions: { output: { codeSplitting } } } });
}

/** The reducer as plain JavaScript, for `@parley/frontend/conversation-stream` and `…/conversation-path` in Node. */
async function emitReducer() {
  await mkdir(join(here, 'dist-node'), { recursive: true });
  for (const name of ['conversation-path', 'conversation-stream-state', 'live-answer']) {
    const source = join(here, `src/domain/conversation/${name}.ts`);
    const { code } = await transformFile(source, { ...swcOptionsFor(source), sourceMaps: false });
    await writeFile(join(here, `dist-node/${name}.js`), code);
  }
}

/** Once, as small as it gets, instead of at each request: the BFF sends what lies beside a file. */
async function compressAssets() {
  const folder = join(here, 'dist/assets');
  const names = (await readdir(folder)).filter((name) => /\.(m?js|css|svg|wasm)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(content));
      await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

async function checkBudgets() {
  const manifest = JSON.parse(await readFile(join(here, 'dist/.vite/manifest.json'), 'utf8'));
  const filesOf = (source, found = new Set()) => {
    const chunk = manifest[source];
    if (!chunk) throw new Error(`Budgets: no chunk ${source} in the manifest.`);
    if (found.has(chunk.file)) return found;
    found.add(chunk.file);
    for (const next of chunk.imports ?? []) filesOf(next, found);
    return found;
  };
  const report = [];
  for (const { path, kB, meanwhile } of budgets) {
    const page = pages.find((entry) => entry.path === path);
    const shell = page.area === 'visitor' ? [] : ['src/app/signed-in.tsx'];
    const sources = ['index.html', ...shell, `src/features/${page.feature}/${page.feature}-page.tsx`, ...meanwhile];
    for (const locale of locales) {
      const texts = textPartsOf(page).map((part) => `compiled-messages/${locale}.${part}.json`);
      const files = new Set([...sources, ...texts].flatMap((source) => [...filesOf(source)]));
      let bytes = 0;
      for (const file of files) bytes += gzipSync(await readFile(join(here, 'dist', file)), { level: 6 }).length;
      report.push({
        page: path === '' ? 'sign-in' : path,
        locale,
        files: files.size,
        kB: Math.round(bytes / 100) / 10,
        limit: kB,
      });
    }
  }
  if (process.argv.includes('--sizes')) console.table(report);
  const over = report.filter((row) => row.kB > row.limit);
  if (over.length > 0)
    throw new Error(
      over
        .map((row) => `${row.page} (${row.locale}) needs ${row.kB} kB of JavaScript, allowed are ${row.limit} kB`)
        .join('\n'),
    );
}

try {
  await compileMessages();
  if (!process.argv.includes('--messages')) {
    const { build } = await import('vite');
    await Promise.all([bundle(build), emitReducer()]);
    await Promise.all([compressAssets(), checkBudgets()]);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
