import { expect, test } from '@jest/globals';
import { allMutants } from '../mutants/all-mutants.ts';
import { misfits } from '../mutants/misfits.ts';

test('code has not moved on without its mutants', () => {
  expect(allMutants.length).toBeGreaterThan(100);
  expect(misfits(allMutants)).toEqual([]);
});
