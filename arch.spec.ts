import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Every guard goes red for one planted violation, in a tree of its own with the real configuration, and stays silent
 * for its twin.
 */
const home = import.meta.dirname;
let tree: string;

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'parley-arch-'));
  for (const file of ['.oxlintrc.json', '.dependency-cruiser.mjs', 'package.json'])
    cpSync(join(home, file), join(tree, file));
  symlinkSync(join(home, 'node_modules'), join(tree, 'node_modules'));
  writeFileSync(
    join(tree, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        module: 'nodenext',
        target: 'es2024',
        noEmit: true,
        allowImportingTsExtensions: true,
      },
      include: ['**/*.ts'],
    }),
  );
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

type Planted = Readonly<Record<string, string>>;
function lint(files: Planted, tool: 'oxlint' | 'depcruise'): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(join(tree, name), content);
  }
  const tops = [...new Set(Object.keys(files).map((name) => name.split('/')[0] ?? ''))];
  const args =
    tool === 'oxlint'
      ? ['--type-aware', '--deny-warnings', ...tops]
      : ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', ...tops];
  const run = spawnSync(join(home, 'node_modules/.bin', tool), args, { cwd: tree, encoding: 'utf8' });
  for (const top of tops) rmSync(join(tree, top), { recursive: true, force: true });
  return run.status === 0 ? '' : run.stdout + run.stderr;
}

const value = 'export const value = 1;\n';
const use = (from: string): string => `export { value } from '${from}';\n`;

describe('the direction of imports', () => {
  test.each<[string, Planted]>([
    [
      'service-imports-service',
      { 'services/chat/src/a/a.service.ts': use('../../../org/src/b/index.ts'), 'services/org/src/b/index.ts': value },
    ],
    [
      'feature-entered-by-its-door',
      { 'services/chat/src/a/a.service.ts': use('../b/b.repository.ts'), 'services/chat/src/b/b.repository.ts': value },
    ],
    [
      'frontend-features-are-islands',
      { 'frontend/src/features/a/a.ts': use('../b/b.ts'), 'frontend/src/features/b/b.ts': value },
    ],
    [
      'frontend-lower-layers',
      { 'frontend/src/lib/a.ts': use('../features/b/b.ts'), 'frontend/src/features/b/b.ts': value },
    ],
    ['frontend-app-on-top', { 'frontend/src/features/a/a.ts': use('../../app/b.ts'), 'frontend/src/app/b.ts': value }],
    ['no-cycles', { 'services/chat/src/a/a.ts': use('./b.ts'), 'services/chat/src/a/b.ts': `${use('./a.ts')}` }],
    [
      'contracts-know-nothing',
      { 'packages/contracts/src/a.ts': use('../../platform/src/b.ts'), 'packages/platform/src/b.ts': value },
    ],
    [
      'platform-knows-contracts-only',
      { 'packages/platform/src/a.ts': use('../../embedded-mongo/src/b.ts'), 'packages/embedded-mongo/src/b.ts': value },
    ],
    [
      'store-and-tooling-stand-alone',
      { 'packages/embedded-mongo/src/a.ts': use('../../platform/src/b.ts'), 'packages/platform/src/b.ts': value },
    ],
    [
      'services-below-compositions',
      { 'services/chat/src/a/a.service.ts': use('../../../../embedded/src/b.ts'), 'embedded/src/b.ts': value },
    ],
    [
      'embedded-loads-no-client',
      {
        'embedded/src/a.ts': use('../../packages/platform/src/event-bus/kafka/b.ts'),
        'packages/platform/src/event-bus/kafka/b.ts': value,
      },
    ],
    [
      'testing-is-for-tests',
      { 'cli/src/a.ts': use('../../packages/testing/src/b.ts'), 'packages/testing/src/b.ts': value },
    ],
    [
      'nouns-are-pure',
      {
        'services/chat/src/things/thing.ts': use('../../../../packages/platform/src/mongo/b.ts'),
        'packages/platform/src/mongo/b.ts': value,
      },
    ],
    [
      'repositories-stay-home',
      { 'services/chat/src/a/a.service.ts': use('../b/b.collection.ts'), 'services/chat/src/b/b.collection.ts': value },
    ],
  ])('%s', (rule, files) => {
    expect(lint(files, 'depcruise')).toContain(rule);
  });

  test('allowed imports are silent', () => {
    const files = {
      'services/chat/src/a/a.service.ts': use('../b/index.ts'),
      'services/chat/src/b/index.ts': value,
      'services/chat/src/things/thing.ts': use('../../../../packages/platform/src/text/c.ts'),
      'packages/platform/src/text/c.ts': value,
      'cli/src/a.spec.ts': use('../../packages/testing/src/b.ts'),
      'packages/testing/src/b.ts': value,
    };
    expect(lint(files, 'depcruise')).toBe('');
  });
});

describe('where a library may be named', () => {
  test.each<[string, string]>([
    ['kafkajs', 'services/chat/src/a.ts'],
    ['kafkajs', 'packages/platform/src/event-bus/event-bus.ts'],
    ['ioredis', 'bff/src/a.ts'],
    ['@sentry/node', 'services/chat/src/a.ts'],
    ['@sentry/react', 'frontend/src/features/chat/a.ts'],
    ['@sentry/node', 'packages/platform/src/reporter/reporter.ts'],
    ['mongoose', 'services/chat/src/a/a.collection.ts'],
    ['mongoose', 'services/chat/src/a/a.repository.ts'],
    ['@parley/platform/outbox', 'services/chat/src/a/a.service.ts'],
    ['@ai-sdk/anthropic', 'services/chat/src/models/sdk-client.ts'],
    ['@ai-sdk/google', 'services/chat/src/models/sdk-client.ts'],
    ['node:sqlite', 'services/chat/src/a/a.repository.ts'],
  ])('%s in %s is refused', (library, file) => {
    const isStore = library === 'node:sqlite';
    const found = lint(
      {
        [isStore ? 'services/chat/src/a/a.service.ts' : file]:
          `import * as library from '${library}';\nexport const used = library;\n`,
      },
      'oxlint',
    );
    expect(found).toContain('no-restricted-imports');
  });

  test('mongoose in the platform is allowed', () => {
    expect(
      lint(
        { 'packages/platform/src/mongo/a.ts': "import mongoose from 'mongoose';\nexport const used = mongoose;\n" },
        'oxlint',
      ),
    ).toBe('');
  });
});

describe('sizes and habits', () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_unused, at) => `  let a${at} = ${at};\n  a${at} += 1;`).join('\n');
  test.each<[string, string, string]>([
    ['max-lines', 'services/chat/src/a.ts', `${'// line\n'.repeat(301)}${value}`],
    ['max-lines-per-function', 'services/chat/src/a.ts', `export function long(): void {\n${lines(40)}\n}\n`],
    [
      'max-params',
      'bff/src/a.ts',
      'export function many(a: number, b: number, c: number, d: number): number {\n  return a + b + c + d;\n}\n',
    ],
    ['no-explicit-any', 'services/chat/src/a.ts', 'export const anything: any = 1;\n'],
    ['no-default-export', 'services/chat/src/a.ts', 'const value = 1;\nexport default value;\n'],
    ['no-process-env', 'services/chat/src/a.ts', "export const home = process.env['HOME'];\n"],
    ['no-console', 'services/chat/src/a.ts', "console.log('hello');\nexport {};\n"],
    [
      'no-floating-promises',
      'services/chat/src/a.ts',
      'async function work(): Promise<void> {}\nexport function start(): void {\n  work();\n}\n',
    ],
    ['filename-case', 'services/chat/src/BadName.ts', value],
  ])('%s', (rule, file, content) => {
    expect(lint({ [file]: content }, 'oxlint')).toContain(rule);
  });
});
