import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './reference-pages.spec-setup.ts';

for (const { path, made } of referencePages()) writeFileSync(join(import.meta.dirname, '..', path), made);
