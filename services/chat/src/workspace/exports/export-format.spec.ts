import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { exportedAll, exportedChat, exportedMessage, exportedProject, exportedProjects } from './export-format.ts';

const page = readFileSync(new URL('../../../../../docs/reference/export-format.md', import.meta.url), 'utf8');
const [all, chat, projects] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, json = '']) => JSON.parse(json) as object,
);

test('the examples of docs/reference/export-format.md are what Parley writes', () => {
  expect(exportedAll.parse(all)).toEqual(all);
  expect(exportedChat.parse(chat)).toEqual(chat);
  expect(exportedProjects.parse(projects)).toEqual(projects);
});

test('docs/reference/export-format.md names each field', () => {
  const shapes = [exportedAll, exportedChat, exportedMessage, exportedProject].map(({ shape }) => Object.keys(shape));
  const fields = shapes.flat();
  expect(fields.filter((field) => !new RegExp(`[\`"]${field}[\`"]`).test(page))).toEqual([]);
});
