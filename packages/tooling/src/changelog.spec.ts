import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readFragments, released } from './changelog.mjs';

const root = join(import.meta.dirname, '../../..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-changes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, text: string) => writeFileSync(join(folder, name), `${text}\n`);

test('changes of this repository are fragments, and CHANGELOG.md holds releases only', () => {
  expect(readFragments(join(root, 'changes')).map(({ text }) => text)).not.toContain('');
  const titles = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## .*$/gm) ?? [];
  expect(titles.filter((title) => !/^## \d+\.\d+\.\d+$/.test(title))).toEqual([]);
});

test('a release has the fragments by section and name', () => {
  write('README.md', 'How to write one.');
  write('pins.added.md', '- Chats can be pinned.');
  write('archive.added.md', '- Chats can be archived.\n- They can be found.');
  write('tree.upgrading.md', 'Stop all processes.');
  write('cut.fixed.md', '- Cut answers are no errors.');
  expect(released('1.2.3', readFragments(folder)).split('\n')).toEqual([
    '## 1.2.3',
    '',
    '### Added',
    '',
    '- Chats can be archived.',
    '- They can be found.',
    '- Chats can be pinned.',
    '',
    '### Fixed',
    '',
    '- Cut answers are no errors.',
    '',
    '### Upgrading',
    '',
    'Stop all processes.',
  ]);
});

test.each([
  ['pins.md', '- Chats can be pinned.'],
  ['pins.new.md', '- Chats can be pinned.'],
  ['pins.added.md', 'Chats can be pinned.'],
])('%s with "%s" is refused with its name', (name, text) => {
  write(name, text);
  expect(() => readFragments(folder)).toThrow(name);
  rmSync(join(folder, name));
});
