import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referencePages } from './reference-pages.spec-setup.ts';

const home = join(import.meta.dirname, '..');

test.each([...referencePages()])('%s says what the code says; otherwise run npm run docs:reference', (path, text) => {
  expect(readFileSync(join(home, path), 'utf8')).toBe(text);
});
