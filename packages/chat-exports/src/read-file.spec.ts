import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipOf } from './fixtures.spec-setup.ts';
import { branched, gptConversation } from './sources/chatgpt.spec-setup.ts';

const register = join(import.meta.dirname, '../../tooling/src/register.mjs');
const command = ['--conditions=parley-source', '--import', register, join(import.meta.dirname, 'read-file.ts')];

function readFile(content: Buffer) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-read-'));
  writeFileSync(join(folder, 'export.zip'), content);
  const run = spawnSync(process.execPath, [...command, join(folder, 'export.zip')], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return run;
}

test('npm run read:export lists the chats of an export, those that can’t be read too', () => {
  const chats = [gptConversation(branched, { title: 'Herons' }), { title: 'A shell' }];
  const { stdout, status } = readFile(zipOf({ 'conversations.json': chats }));
  expect(stdout).toMatch(/^An export of chatgpt\n/);
  expect(stdout).toMatch(/ Herons \(\d+ messages, 0 files\)\n/);
  expect(stdout).toContain("can't be read  A shell: no-messages\n");
  expect(stdout).toMatch(/^chats: 1$/m);
  expect(status).toBe(0);
});

test('npm run read:export says why a file is no export', () => {
  expect(readFile(zipOf({ 'notes.txt': 'Hello.' }))).toMatchObject({ stderr: 'not-an-export\n', status: 1 });
});
