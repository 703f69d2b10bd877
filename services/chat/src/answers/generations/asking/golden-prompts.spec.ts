import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { conversations, promptOf } from '../../../testing/golden-prompts.spec-setup.ts';

/** Written by `testing/write-golden-prompts.spec-setup.ts`. Run that again if you mean to change prompts. */
const lines = (await readFile(new URL('golden-prompts.jsonl', import.meta.url), 'utf8')).trim().split('\n');
const golden = lines.map((line) => JSON.parse(line) as object);

test('sends unchanged prompts for forty conversations, with files, images, passages and small contexts', async () => {
  const now = await Promise.all(Array.from({ length: conversations }, (_, seed) => promptOf(seed)));
  expect(golden).toHaveLength(conversations);
  for (const [seed, prompt] of now.entries()) expect({ seed, ...prompt }).toEqual({ seed, ...golden[seed] });
});
