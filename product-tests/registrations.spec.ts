import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const home = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(home, file), 'utf8');
const services = globSync('services/*', { cwd: home });
const declared = /^export const (\w+): (?:DataMigration|StockSource) =/gm;

test.each(services)('%s lists each of its data migrations and stocks', (service) => {
  const files = globSync(`${service}/src/**/*.ts`, { cwd: home }).filter((file) => !file.includes('.spec'));
  const names = files.flatMap((file) => [...read(file).matchAll(declared)].map(([, name]) => name!));
  expect(names).not.toEqual([]);
  // Its import is one mention, its place in the list another.
  const words = read(`${service}/src/service.ts`).match(/\w+/g) ?? [];
  expect(names.filter((name) => words.filter((word) => word === name).length < 2)).toEqual([]);
});
