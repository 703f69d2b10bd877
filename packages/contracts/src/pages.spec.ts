import { expect, test } from '@jest/globals';
import { pageAt, pages, textPartsOf } from './pages.ts';

test('each address has one page, and an id is one segment of letters, digits and underscores', () => {
  expect(new Set(pages.map(({ path }) => path)).size).toBe(pages.length);
  expect(['', 'chat', 'chat/', 'chat/cnv_1', 'settings/data-connections'].map((path) => pageAt(path)?.path)).toEqual([
    '',
    'chat',
    'chat',
    'chat/:id',
    'settings/data-connections',
  ]);
  for (const path of [
    'chat/a/b',
    'chat/a-b',
    'chat/%2e',
    'settings/nothing',
    'settings/data-connections/x',
    'Chat',
    'x/register',
  ])
    expect(pageAt(path)).toBeUndefined();
});

test('a visitor loads the first texts only, and a page behind the sign-in also loads the shell’s texts', () => {
  for (const page of pages)
    expect(textPartsOf(page).slice(0, 2)).toEqual(page.area === 'visitor' ? ['first'] : ['first', 'app']);
});
