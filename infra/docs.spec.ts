import { afterAll, expect, test } from '@jest/globals';
import { readPage } from '@parley/tooling/docs-page.mjs';
import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { isCompose } from './compose-schema.ts';
import { root } from './kubernetes/objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-docs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const blocks = globSync('{*.md,docs/**/*.md}', { cwd: root }).flatMap((file) =>
  readPage(readFileSync(join(root, file), 'utf8')).blocks.map((block) => ({ file, ...block })),
);
const runnable = blocks.filter(({ info }) => info === 'sh run').map(({ file, text }) => [file, text] as const);
const documents = blocks.filter(({ info }) => info === 'yaml').flatMap(({ file, text }) => documentsOf(file, text));

/** Runs a block in a folder of its own, with the `parley` of this checkout. Returns its exit code and what it said. */
function run(text: string): { status: number | null; said: string } {
  const cwd = mkdtempSync(join(folder, 'block-'));
  const bin = join(cwd, '.bin');
  mkdirSync(bin);
  const cli = `"${process.execPath}" --conditions=parley-source --import "${join(root, 'packages/tooling/src/register.mjs')}" "${join(root, 'cli/src/cli.ts')}"`;
  writeFileSync(join(bin, 'parley'), `#!/bin/sh\nexec ${cli} "$@"\n`, { mode: 0o755 });
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', text], {
    cwd,
    encoding: 'utf8',
    timeout: 50_000,
    env: { PATH: `${bin}:/usr/bin:/bin`, TMPDIR: tmpdir() },
  });
  return { status, said: stdout + stderr };
}

function documentsOf(file: string, text: string): { file: string; content: Record<string, unknown> }[] {
  return parseAllDocuments(text).map((document) => ({ file, content: document.toJS() as Record<string, unknown> }));
}

/** Returns what a document of YAML lacks as a Compose file or a manifest; null where it lacks nothing or is neither. */
function lackOf(content: Record<string, unknown>): string | null {
  if ('services' in content) return isCompose(content) ? null : 'is no Compose file';
  if (!('apiVersion' in content)) return null;
  const { kind, metadata } = content as { kind?: unknown; metadata?: { name?: unknown } };
  return typeof kind === 'string' && typeof metadata?.name === 'string' ? null : 'has no kind or name';
}

test.each(runnable)('a block of %s runs without an error', (_file, text) => {
  expect(run(text)).toEqual({ status: 0, said: expect.any(String) });
});

test('a command of a runnable block that fails is noticed, also in front of others', () => {
  expect(run('parley no-such-command\ntrue').status).not.toBe(0);
});

test('some blocks run, and some are manifests and Compose files', () => {
  const kinds = documents.map(({ content }) => ['services', 'apiVersion'].find((key) => key in content));
  expect(runnable.length).toBeGreaterThan(1);
  expect(new Set(kinds)).toEqual(new Set(['services', 'apiVersion']));
});

test('manifests and Compose files in pages are valid', () => {
  expect(documents.filter(({ content }) => lackOf(content) !== null)).toEqual([]);
});

test.each([
  [{ services: { bff: { imagee: 'parley' } } }, 'is no Compose file'],
  [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} }, 'has no kind or name'],
  [{ paths: [] }, null],
])('the YAML %j %s', (content, lack) => expect(lackOf(content)).toBe(lack));
