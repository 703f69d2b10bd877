import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  checkProductNouns,
  findProductNouns,
  keptNouns,
  namesOf,
  nounsIn,
  nounsOf,
  technicalNouns,
} from './product-nouns.mjs';

const glossary = `# Glossary

| noun | what it is | not |
|---|---|---|
| API key | One person in one organisation | token |
| role, permission | A role is a set of permissions | |
| event | Something that happened (\`generation.queued.v1\`) | message |
| file (of a chat) | What a person attached | |
`;
const nouns = nounsOf(glossary);
const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

test('reads nouns from the first column of a glossary and ignores text in brackets', () => {
  expect(nouns).toEqual(['api key', 'role', 'permission', 'event', 'file']);
});

test.each([
  ['useRoles', ['role']],
  ['api-key-words', ['api key']],
  ['keyOfApi', []],
  ['APIKey', ['api key']],
  ['controller', []],
])('the name %s has the nouns %j', (name, found) => expect(nounsIn(name, nouns)).toEqual(found));

test('returns the names of folders, file and exports', () => {
  const text = [
    'export async function first() {}',
    'export type Second = string;',
    'export const { third, old: fourth } = found;',
    "export { a as fifth } from './a.ts';",
    'const hidden = 1;',
  ].join('\n');
  expect(namesOf('ui/roles/role-list.module.css', '')).toEqual(['roles', 'role-list']);
  expect(namesOf('ui/a.ts', text)).toEqual(['a', 'first', 'Second', 'third', 'fourth', 'fifth']);
});

describe('a noun in a name', () => {
  const find = (name: string, kept: typeof keptNouns = []) =>
    findProductNouns([[`lib/${name}.ts`, 'export const a = 1;']], { nouns, technical: {}, kept });

  test('is found in the name of a file', () =>
    expect(find('role-names')).toEqual([expect.stringContaining('lib/role-names.ts')]));

  test('is found in the name of an export', () => {
    const found = findProductNouns([['ui/a.tsx', 'export function RoleList() {}']], { nouns, technical: {}, kept: [] });
    expect(found).toEqual([expect.stringContaining('RoleList names "role"')]);
  });

  test('is excused where it is kept for a reason', () => {
    expect(find('theme-roles', [{ file: 'lib/theme-roles.ts', nouns: ['role'], why: 'of colours' }])).toEqual([]);
  });

  test('an exception that excuses nothing is found', () => {
    expect(find('theme', [{ file: 'lib/theme.ts', nouns: ['role'], why: 'of colours' }])).toEqual([
      'lib/theme.ts: role: an exception without a use',
    ]);
    expect(findProductNouns([], { nouns, technical: { event: 'of a browser' }, kept: [] })).toEqual([
      'event: an exception without a use',
    ]);
  });
});

test('lint finds a planted noun in lib and none that is not', () => {
  const home = mkdtempSync(join(tmpdir(), 'parley-nouns-'));
  folders.push(home);
  const plant = (file: string, text: string) => {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  };
  plant('docs/reference/glossary.md', glossary);
  plant('frontend/src/lib/use-roles.ts', 'export const a = 1;\n');
  plant('frontend/src/ui/dialog.tsx', 'export function Dialog() {}\n');
  plant('frontend/src/domain/role/use-roles.ts', 'export const a = 1;\n');
  const found = checkProductNouns(home).filter((line) => !line.endsWith('without a use'));
  expect(found).toEqual([expect.stringContaining('lib/use-roles.ts: use-roles names "role"')]);
});

test('each exception says why', () => {
  expect([...Object.values(technicalNouns), ...keptNouns.map(({ why }) => why)]).not.toContain('');
});
