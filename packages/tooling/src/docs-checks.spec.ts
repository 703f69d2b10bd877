import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { blockFault } from './docs-blocks.mjs';
import { checkDocs, checkMentions } from './docs-checks.mjs';
import { readPage, slugOf } from './docs-page.mjs';

const questionsPage = 'docs/contributing/questions.md';
const readers = ['People', 'Admins', 'Operators', 'Contributors'];
const questions = (answer: string, each = 6): string =>
  readers
    .map(
      (reader) => `## ${reader}\n\n| question | answer |\n|---|---|\n${`| Why? | [Page](${answer}) |\n`.repeat(each)}`,
    )
    .join('\n');

const homes: string[] = [];
let home = '';
let files: string[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parley-pages-'));
  homes.push(home);
  files = [];
  plant('README.md', '[All](docs/all.md) [Questions](docs/contributing/questions.md)\n');
  plant('docs/all.md', '# All\n\n[Limits](limits.md)\n');
  plant('docs/limits.md', '# Limits\n\n## At the same time\n\n## At the same time\n');
  plant(questionsPage, questions('../limits.md#at-the-same-time-1'));
});
afterAll(() => homes.forEach((each) => rmSync(each, { recursive: true })));

function plant(file: string, text: string): void {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), text);
  if (!files.includes(file)) files.push(file);
}
const faults = (): string[] => checkDocs(home, files).faults;

test.each([
  ['Where do I change …?', 'where-do-i-change-'],
  ['`parley migrate`, killed', 'parley-migrate-killed'],
  ["OpenAI's clients", 'openais-clients'],
  ['Größe_2', 'größe_2'],
])('the anchor of the heading "%s" is %s', (heading, slug) => expect(slugOf(heading)).toBe(slug));

test('a page has the anchors of its headings and ids, and links of Markdown and HTML', () => {
  const page = readPage('# `a` [b](c.md)\n\n<a id="d"></a>\n\n<img src="e.png">\n\n![f](g.png)\n');
  expect([...page.anchors]).toEqual(['a-b', 'd']);
  expect(page.links.toSorted()).toEqual(['c.md', 'e.png', 'g.png']);
});

test('pages without faults pass', () => expect(checkDocs(home, files)).toEqual({ faults: [], open: [] }));

test('lint reports a link to a page that does not exist', () => {
  plant('docs/all.md', '[Limits](limits.md) [Gone](gone.md)\n');
  expect(faults()).toEqual(['docs/all.md: gone.md leads nowhere']);
});

test('lint reports a link to a heading that does not exist', () => {
  plant('docs/all.md', '[Limits](limits.md#sizes) [Here](#here)\n');
  expect(faults()).toEqual([
    'docs/all.md: limits.md#sizes has no such heading',
    'docs/all.md: #here has no such heading',
  ]);
});

test('lint reports a link of a change fragment that leads nowhere from CHANGELOG.md', () => {
  plant('changes/limits.added.md', '- A page of [limits](docs/limits.md), not [here](../docs/limits.md).\n');
  expect(faults()).toEqual(['changes/limits.added.md: ../docs/limits.md leads nowhere']);
});

test('lint reports a question whose answer is three clicks away', () => {
  plant('docs/far.md', '# Far\n');
  plant('docs/limits.md', '[Far](far.md)\n');
  plant(questionsPage, questions('../far.md'));
  expect(faults()).toHaveLength(0);
  plant('README.md', '[All](docs/all.md)\n');
  expect(faults()).toHaveLength(24);
  expect(faults()[0]).toContain('"Why?" is not answered within 2 clicks');
});

test('lint reports readers with five questions, and a kind of readers too few', () => {
  plant(questionsPage, questions('../limits.md', 5).replace('## People', '## Admins'));
  expect(faults()).toEqual(expect.arrayContaining([expect.stringContaining('3 kinds of readers, not 4')]));
  expect(faults()).toEqual(expect.arrayContaining([expect.stringContaining('Operators ask 5 questions, not 6')]));
});

test('lint reports a page of 201 lines and a README of 91', () => {
  plant('docs/all.md', '[Limits](limits.md)\n'.repeat(201));
  plant('README.md', '[All](docs/all.md) [Limits](docs/limits.md)\n'.repeat(91));
  expect(faults()).toEqual(['README.md: 91 lines, at most 90', 'docs/all.md: 201 lines, at most 200']);
});

test('lint reports a line of 161 columns, unless it is in a table, in code or written by a command', () => {
  const long = 'x'.repeat(161);
  plant(
    'docs/limits.md',
    `## At the same time\n\n## At the same time\n\n| ${long} |\n|---|\n\n\`\`\`text\n${long}\n\`\`\`\n`,
  );
  plant(
    'docs/all.md',
    `[Limits](limits.md)\n${long}\n<!-- made by npm run docs:limits -->\n${long}\n${'x\n'.repeat(200)}`,
  );
  expect(faults()).toEqual(['docs/all.md:2: 161 columns, at most 160']);
});

test('lint reports a code block that cannot be parsed', () => {
  plant('docs/all.md', '[Limits](limits.md)\n\n```json\n{ "a": }\n```\n');
  expect(faults()).toEqual([expect.stringContaining("docs/all.md: a block of json can't be parsed")]);
});

test('lint counts placeholders as open, not as faults', () => {
  plant('SECURITY.md', 'Write to SECURITY_CONTACT.\n');
  plant('CODE_OF_CONDUCT.md', 'Write to SECURITY_CONTACT.\n');
  expect(checkDocs(home, files)).toEqual({ faults: [], open: ['1 placeholder'] });
});

test('lint reports missing pictures', () => {
  plant('docs/all.md', '[Limits](limits.md)\n\n<img src="images/chat-light.png" srcset="images/chat-dark.png">\n');
  expect(faults()).toEqual([
    expect.stringContaining('images/chat-light.png leads nowhere'),
    expect.stringContaining('images/chat-dark.png leads nowhere'),
  ]);
});

test('lint reports a page that code names and that does not exist', () => {
  plant('cli/doctor.ts', "const advice = 'docs/limits.md, then docs/gone.md';\n");
  spawnSync('git', ['init', '--quiet'], { cwd: home });
  spawnSync('git', ['add', '--all'], { cwd: home });
  expect(checkMentions(home)).toEqual(['cli/doctor.ts: docs/gone.md does not exist']);
});

test.each([
  ['sh', 'if true; then echo; fi', 'if true; then echo'],
  ['json', '{ "a": 1 }', '{ a: 1 }'],
  ['yaml', 'a: [1]', 'a: [1'],
  ['ts', 'const a: Text = read(…);', 'const a: = 1;'],
  ['ts', '@Injectable()\nasync run(tx: Tx) { return this.a; }', 'async run(tx: Tx) { return this.; }'],
  ['js', "updateNote: { things: 'organisation', repeated: 409 },", 'updateNote: { things: },'],
  ['tsx', '<List items={…} />', '<List items={ />'],
])('a block of %s is parsed as a whole or as an excerpt', (info, right, wrong) => {
  expect(blockFault({ info, text: right })).toBeNull();
  expect(blockFault({ info, text: wrong })).toContain(`a block of ${info} can't be parsed`);
});
