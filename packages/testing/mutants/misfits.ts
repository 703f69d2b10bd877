import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutant.ts';

const root = join(import.meta.dirname, '../../..');

/** Each `find` stands exactly once where it is to be replaced; otherwise the code has moved on without its mutants. */
export function misfits(mutants: readonly Mutant[]): string[] {
  return mutants.flatMap(({ breaks, file, find }) => {
    const count = readFileSync(join(root, file), 'utf8').split(find).length - 1;
    return count === 1 ? [] : [`${breaks}: found ${count} times in ${file}`];
  });
}
