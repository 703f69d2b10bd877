import { writeFile } from 'node:fs/promises';
import { conversations, promptOf } from './golden-prompts.spec-setup.ts';

const golden = new URL('../answers/generations/asking/golden-prompts.jsonl', import.meta.url);
const prompts = await Promise.all(Array.from({ length: conversations }, (_, seed) => promptOf(seed)));
await writeFile(golden, prompts.map((prompt) => `${JSON.stringify(prompt)}\n`).join(''));
