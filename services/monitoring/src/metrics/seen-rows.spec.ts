import { expect, test } from '@jest/globals';
import type { Transaction } from '@parley/platform/mongo';
import { SeenRows } from './seen-rows.ts';

const transaction = (): Transaction => ({ session: {} }) as Transaction;

test('ids that a transaction reads are cached, except after it writes such rows itself', () => {
  const seen = new SeenRows();
  const [one, other] = [transaction(), transaction()];
  seen.note(['first'], one);
  seen.writing(one);
  seen.note(['second'], one);
  expect([seen.has('first'), seen.has('second')]).toEqual([true, false]);
  seen.note(['second'], other);
  expect(seen.has('second')).toBe(true);
});
