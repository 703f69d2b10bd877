import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cruise } from 'dependency-cruiser';
import readRules from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/**
 * Every guard goes red for one planted violation, in a tree of its own with the real configuration, and stays silent
 * for its twin.
 */
const home = import.meta.dirname;
let tree: string;

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'parley-arch-'));
  for (const file of ['.oxlintrc.json', 'package.json']) cpSync(join(home, file), join(tree, file));
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
const tops = (files: Planted) => [...new Set(Object.keys(files).map((name) => name.split('/')[0] ?? ''))];

async function planted<Found>(files: Planted, look: () => Found | Promise<Found>): Promise<Found> {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(join(tree, name), content);
  }
  try {
    return await look();
  } finally {
    for (const top of tops(files)) rmSync(join(tree, top), { recursive: true });
  }
}

/** Of each file: the rules that it breaks. One run for all, because each one starts the compiler. */
const lint = (files: Planted): Promise<ReadonlyMap<string, string>> =>
  planted(files, () => {
    const args = ['--type-aware', '--deny-warnings', '--format', 'json', ...tops(files)];
    const run = spawnSync(join(home, 'node_modules/.bin/oxlint'), args, { cwd: tree, encoding: 'utf8' });
    const { diagnostics, number_of_files: read } = JSON.parse(run.stdout) as Linted;
    expect(read).toBe(Object.keys(files).length);
    const codesOf = (name: string) => diagnostics.filter(({ filename }) => filename === name).map(({ code }) => code);
    return new Map(Object.keys(files).map((name) => [name, codesOf(name).join(' ')]));
  });
type Linted = {
  readonly diagnostics: readonly { readonly code: string; readonly filename: string }[];
  readonly number_of_files: number;
};
/** The same place for a rule, and a file of its own. */
const own = (file: string, at: number): string => file.replace(/[^/.]+(?=[^/]*$)/, `$&-${at}`);

const rules = await readRules(join(home, '.dependency-cruiser.mjs'));
/** The names of the rules that the files break. What `depcruise` does, without a process for each case. */
const brokenBy = (files: Planted): Promise<readonly string[]> =>
  planted(files, async () => {
    const { output } = await cruise(tops(files), { ...rules, baseDir: tree });
    if (typeof output === 'string') throw new Error(output);
    expect(output.modules.filter(({ source }) => source in files)).toHaveLength(Object.keys(files).length);
    return output.summary.violations.map(({ rule }) => rule.name);
  });

const value = 'export const value = 1;\n';
const use = (from: string): string => `export { value } from '${from}';\n`;
/** One file that imports another one. */
const importing = (file: string, other: string): Planted => ({
  [file]: use(relative(dirname(file), other).replace(/^(?!\.)/, './')),
  [other]: value,
});

/** Lowest first. */
const areas = ['conversations', 'assistants', 'knowledge', 'answers', 'feedback', 'workspace'];
const stacks = ['base', 'ports', 'rows', 'events', 'jobs', 'edge', 'process'];

describe('the direction of imports', () => {
  test.each<[string, Planted]>([
    ['service-imports-service', importing('services/billing/src/a/a.service.ts', 'services/org/src/b/index.ts')],
    [
      'feature-entered-by-its-door',
      importing('services/billing/src/a/a.service.ts', 'services/billing/src/b/b.repository.ts'),
    ],
    [
      'feature-entered-by-its-door',
      importing('services/chat/src/knowledge/a/a.service.ts', 'services/chat/src/knowledge/b/b.service.ts'),
    ],
    ...areas
      .slice(1)
      .map((higher, at): [string, Planted] => [
        'areas-of-chat',
        {
          [`services/chat/src/${areas[at]}/a/index.ts`]: use(`../../${higher}/b/index.ts`),
          [`services/chat/src/${higher}/b/index.ts`]: value,
        },
      ]),
    ['areas-of-chat', importing('services/chat/src/conversations/access.ts', 'services/chat/src/workspace/index.ts')],
    ['no-folder-beside-areas', importing('services/chat/src/a/a.ts', 'packages/contracts/src/b.ts')],
    ['no-folder-beside-areas', importing('services/chat/src/answers/b/b.ts', 'services/chat/src/a/index.ts')],
    ['top-of-chat-below-areas', importing('services/chat/src/helper.ts', 'services/chat/src/answers/a/index.ts')],
    ['areas-below-composition', importing('services/chat/src/conversations/a.ts', 'services/chat/src/service.ts')],
    ['areas-below-composition', importing('services/chat/src/helper.ts', 'services/chat/src/a.spec-setup.ts')],
    [
      'parts-of-generations',
      importing('services/chat/src/answers/generations/rows/a.ts', 'services/chat/src/answers/generations/asking/b.ts'),
    ],
    [
      'rooms-of-conversations',
      importing('frontend/src/features/conversations/state/a.ts', 'frontend/src/features/conversations/message/b.ts'),
    ],
    ['state-below-rooms', importing('frontend/src/features/a/state/a.ts', 'frontend/src/features/a/parts/b.ts')],
    ['frontend-features-are-islands', importing('frontend/src/features/a/a.ts', 'frontend/src/features/b/b.ts')],
    ['frontend-lower-layers', importing('frontend/src/lib/a.ts', 'frontend/src/features/b/b.ts')],
    ['frontend-lower-layers', importing('frontend/src/ui/a.ts', 'frontend/src/domain/b/b.ts')],
    ['frontend-domain-below-features', importing('frontend/src/domain/a/a.ts', 'frontend/src/features/b/b.ts')],
    ['frontend-domain-below-features', importing('frontend/src/domain/a/a.ts', 'frontend/src/app/b.ts')],
    ['frontend-app-on-top', importing('frontend/src/features/a/a.ts', 'frontend/src/app/b.ts')],
    ['no-cycles', { 'services/billing/src/a/a.ts': use('./b.ts'), 'services/billing/src/a/b.ts': `${use('./a.ts')}` }],
    [
      'no-type-cycles',
      {
        'frontend/src/features/a/a.ts': "import type { B } from './b.ts';\nexport type A = { readonly b: B | null };\n",
        'frontend/src/features/a/b.ts': "import type { A } from './a.ts';\nexport type B = { readonly a: A | null };\n",
      },
    ],
    ['protocol-knows-zod-alone', importing('packages/protocol/src/a.ts', 'packages/contracts/src/b.ts')],
    ['contracts-know-protocol-only', importing('packages/contracts/src/a.ts', 'packages/platform/src/b.ts')],
    [
      'platform-knows-protocol-and-contracts',
      importing('packages/platform/src/base/a.ts', 'packages/embedded-mongo/src/b.ts'),
    ],
    ...stacks
      .slice(1)
      .map((higher, at): [string, Planted] => [
        'stacks-of-platform',
        importing(`packages/platform/src/${stacks[at]}/a/a.ts`, `packages/platform/src/${higher}/b.ts`),
      ]),
    [
      'folders-of-events',
      importing('packages/platform/src/events/event-bus/a.ts', 'packages/platform/src/events/outbox/b.ts'),
    ],
    ['no-folder-beside-stacks', importing('packages/platform/src/a/a.ts', 'packages/platform/src/base/b.ts')],
    ['no-folder-beside-stacks', importing('packages/platform/src/base/a.ts', 'packages/platform/src/b.ts')],
    [
      'platform-names-its-product-words',
      importing('packages/platform/src/events/work/a.ts', 'packages/contracts/src/b.ts'),
    ],
    ['document-reader-stands-alone', importing('packages/document-reader/src/a.ts', 'packages/contracts/src/b.ts')],
    ['chat-exports-know-contracts-only', importing('packages/chat-exports/src/a.ts', 'services/chat/src/b.ts')],
    ['chat-exports-know-contracts-only', importing('packages/chat-exports/src/a.ts', 'packages/platform/src/b.ts')],
    ['store-and-tooling-stand-alone', importing('packages/embedded-mongo/src/a.ts', 'packages/platform/src/b.ts')],
    ['services-below-compositions', importing('services/billing/src/a/a.service.ts', 'embedded/src/b.ts')],
    ['embedded-loads-no-client', importing('embedded/src/a.ts', 'packages/platform/src/events/event-bus/kafka/b.ts')],
    ['testing-is-for-tests', importing('cli/src/a.ts', 'packages/testing/src/b.ts')],
    ['nouns-are-pure', importing('services/billing/src/things/thing.ts', 'packages/platform/src/rows/mongo/b.ts')],
    [
      'nouns-are-pure',
      importing('services/chat/src/knowledge/things/rows/thing.ts', 'packages/platform/src/rows/mongo/b.ts'),
    ],
    [
      'repositories-stay-home',
      importing('services/billing/src/a/a.service.ts', 'services/billing/src/b/b.collection.ts'),
    ],
  ])('%s', async (rule, files) => {
    expect(await brokenBy(files)).toContain(rule);
  });

  test('allowed imports are silent', async () => {
    const files = {
      'services/billing/src/a/a.service.ts': use('../b/index.ts'),
      'services/billing/src/b/index.ts': value,
      'services/billing/src/things/thing.ts': use('../../../../packages/platform/src/base/text/c.ts'),
      'packages/platform/src/base/text/c.ts': value,
      'cli/src/a.spec.ts': use('../../packages/testing/src/b.ts'),
      'packages/testing/src/b.ts': value,
      'packages/protocol/src/a.ts': "import { z } from 'zod';\nexport const value = z.string();\n",
      'packages/contracts/src/a.ts': use('../../protocol/src/a.ts'),
      'packages/platform/src/base/text/a.ts': use('../../../../protocol/src/a.ts'),
      'packages/platform/src/base/text/names.ts': use('../../../../contracts/src/a.ts'),
      'packages/platform/src/edge/a.ts': use('../base/text/c.ts'),
      'packages/platform/src/base/a.spec.ts': use('../edge/a.ts'),
      'frontend/src/features/a/a.ts': use('../../domain/b/b.ts'),
      'frontend/src/domain/b/b.ts': use('../../ui/c.ts'),
      'frontend/src/ui/c.ts': value,
    };
    expect(await brokenBy(files)).toEqual([]);
  });

  test('main, service and helpers of specs may import all areas, and all areas may import other files at the top', async () => {
    const files = {
      'services/chat/src/main.ts': use('./service.ts'),
      'services/chat/src/service.ts': use('./answers/a/index.ts'),
      'services/chat/src/a.spec-setup.ts': use('./answers/a/index.ts'),
      'services/chat/src/answers/a/index.ts': use('../../helper.ts'),
      'services/chat/src/answers/a/a.spec.ts': use('../../a.spec-setup.ts'),
      'services/chat/src/helper.ts': value,
    };
    expect(await brokenBy(files)).toEqual([]);
  });

  test('an area may import any area below it', async () => {
    const files = Object.fromEntries(
      areas.map((area, at) => [
        `services/chat/src/${area}/b/index.ts`,
        `${value}${areas
          .slice(0, at)
          .map((lower, number) => `export { value as v${number} } from '../../${lower}/b/index.ts';\n`)
          .join('')}`,
      ]),
    );
    expect(await brokenBy(files)).toEqual([]);
  });
});

const libraries: readonly (readonly [string, string])[] = [
  ['kafkajs', 'services/chat/src/a.ts'],
  ['kafkajs', 'packages/platform/src/events/event-bus/event-bus.ts'],
  ['ioredis', 'bff/src/a.ts'],
  ['@sentry/node', 'services/chat/src/a.ts'],
  ['@sentry/react', 'frontend/src/features/chat/a.ts'],
  ['@sentry/node', 'packages/platform/src/ports/reporter/reporter.ts'],
  ['mongoose', 'services/billing/src/a/a.collection.ts'],
  ['mongoose', 'services/billing/src/a/a.repository.ts'],
  ['@parley/platform/outbox', 'services/billing/src/a/a.service.ts'],
  ['@ai-sdk/anthropic', 'services/chat/src/assistants/models/sdk-client.ts'],
  ['@ai-sdk/google', 'services/chat/src/assistants/models/sdk-client.ts'],
  ['node:sqlite', 'services/billing/src/a/a.service.ts'],
  ['@nestjs/common', 'packages/protocol/src/a.ts'],
  ['node:fs', 'packages/protocol/src/a.ts'],
  ['@nestjs/common', 'packages/document-reader/src/a.ts'],
  ['mongodb', 'packages/chat-exports/src/a.ts'],
];
const inPlatform = [
  'packages/platform/src/rows/mongo/a.ts',
  "import mongoose from 'mongoose';\nexport const used = mongoose;\n",
] as const;

const inProtocol = [
  'packages/protocol/src/a.ts',
  "import { z } from 'zod';\nimport { used } from './b.ts';\nexport const both = [z, used];\n",
] as const;

const lines = (count: number) =>
  Array.from({ length: count }, (_unused, at) => `  let a${at} = ${at};\n  a${at} += 1;`).join('\n');
const habits: readonly (readonly [string, string, string])[] = [
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
];

describe('what a file may say', () => {
  const using = (library: string) => `import * as library from '${library}';\nexport const used = library;\n`;
  const files = [
    ...libraries.map(([library, file]): [string, string] => [file, using(library)]),
    inPlatform,
    inProtocol,
    ...habits.map(([, file, content]): [string, string] => [file, content]),
  ].map(([file, content], at) => [own(file, at), content] as const);
  let found: readonly string[] = [];
  beforeAll(async () => void (found = [...(await lint(Object.fromEntries(files))).values()]));

  test.each(libraries.map((each, at) => [...each, at] as const))('%s in %s is refused', (_library, _file, at) => {
    expect(found[at]).toContain('no-restricted-imports');
  });

  test('mongoose in the platform is allowed, and zod in protocol', () => {
    expect(found.slice(libraries.length, libraries.length + 2)).toEqual(['', '']);
  });

  test.each(habits.map(([rule], at) => [rule, at] as const))('%s', (rule, at) => {
    expect(found[libraries.length + 2 + at]).toContain(rule);
  });
});
