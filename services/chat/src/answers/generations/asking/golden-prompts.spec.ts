import { expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { conversations, promptOf } from './golden-prompts.spec-setup.ts';

/** Written by `write-golden-prompts.spec-setup.ts`; a change of what models are sent writes it again. */
const golden = JSON.parse(await readFile(new URL('golden-prompts.json', import.meta.url), 'utf8')) as object[];

test('a model is sent the same as before of forty conversations, with files, images, passages and small contexts', async () => {
  const now = await Promise.all(Array.from({ length: conversations }, (_, seed) => promptOf(seed)));
  expect(golden).toHaveLength(conversations);
  for (const [seed, prompt] of now.entries()) expect({ seed, ...prompt }).toEqual({ seed, ...golden[seed] });
});
