import { expect, test } from '@jest/globals';
import type { LedgerEntryRow } from '../entries/index.ts';
import { answerCosts } from './answer-costs.ts';

const [one, other] = ['gen_1', 'gen_2'] as const;
const attempt = (generationId: string, costMicros: number | null, excess: LedgerEntryRow['excess'] = null) =>
  ({ generationId, costMicros, currency: costMicros === null ? null : 'EUR', excess }) as Parameters<
    typeof answerCosts
  >[0][number];

test('the attempts of each answer are added up, and what was beyond their budgets', () => {
  const beyond = { costMicros: 2, tokens: 3 };
  expect(answerCosts([attempt(one, 5, beyond), attempt(other, 7), attempt(one, 6, beyond)])).toEqual([
    { generationId: one, costMicros: 11, currency: 'EUR', excess: { costMicros: 4, tokens: 6 } },
    { generationId: other, costMicros: 7, currency: 'EUR', excess: null },
  ]);
});

test('an answer of which one attempt has no price has none: the rest would be too low', () => {
  for (const attempts of [
    [attempt(one, 5), attempt(one, null)],
    [attempt(one, null), attempt(one, 5)],
  ])
    expect(answerCosts(attempts)).toEqual([{ generationId: one, costMicros: null, currency: 'EUR', excess: null }]);
});
