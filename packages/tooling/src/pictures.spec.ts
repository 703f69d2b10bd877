import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOfScreen, oldPictures, picturesFile } from './pictures.mjs';

let home: string;
const write = (file: string, text: string) => writeFileSync(join(home, file), text);
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'parley-pictures-'));
  for (const folder of ['docs/images', 'chat/talk', 'billing']) mkdirSync(join(home, folder), { recursive: true });
  write('chat/talk/answer.tsx', 'one');
  write('billing/budgets.tsx', 'one');
});
afterEach(() => rmSync(home, { recursive: true }));

function takePictures(): void {
  const taken = (folder: string) => ({ shows: [folder], hash: hashOfScreen(home, [folder]) });
  write(picturesFile, JSON.stringify({ chat: taken('chat'), project: taken('chat'), budgets: taken('billing') }));
}

test('pictures are as new as their screens until one of these changes', () => {
  expect(oldPictures(home)).toBeNull();
  takePictures();
  expect(oldPictures(home)).toBeNull();
  write('billing/budgets.tsx', 'two');
  expect(oldPictures(home)).toBe('pictures: budgets is older than its screen (npm run pictures)');
  write('chat/talk/new.css', 'a {}');
  expect(oldPictures(home)).toBe('pictures: chat, project, budgets are older than their screens (npm run pictures)');
});

test('a changed test makes no picture old', () => {
  takePictures();
  write('chat/talk/answer.test.tsx', 'two');
  write('chat/talk/README.md', 'two');
  expect(oldPictures(home)).toBeNull();
});
