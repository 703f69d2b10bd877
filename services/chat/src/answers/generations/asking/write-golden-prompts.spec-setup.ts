import { writeFile } from 'node:fs/promises';
import { conversations, promptOf } from './golden-prompts.spec-setup.ts';

const prompts = await Promise.all(Array.from({ length: conversations }, (_, seed) => promptOf(seed)));
const rows = prompts.map((prompt) => `  ${JSON.stringify(prompt)}`).join(',\n');
await writeFile(new URL('golden-prompts.json', import.meta.url), `[\n${rows}\n]\n`);
