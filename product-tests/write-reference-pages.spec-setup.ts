import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './reference-pages.spec-setup.ts';

const home = join(import.meta.dirname, '..');
mkdirSync(join(home, 'docs/reference'), { recursive: true });
for (const [path, text] of referencePages()) writeFileSync(join(home, path), text);
