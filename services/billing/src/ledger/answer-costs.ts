import type { AnswerCost, GenerationId } from '@parley/contracts';
import type { LedgerEntryRow } from '../entries/index.ts';

type Attempt = Pick<LedgerEntryRow, 'costMicros' | 'currency' | 'excess'> & { readonly generationId: GenerationId };

/** The attempts of each answer added up. */
export function answerCosts(attempts: readonly Attempt[]): AnswerCost[] {
  const answers = Map.groupBy(attempts, ({ generationId }) => generationId);
  return [...answers].map(([generationId, all]) => ({
    generationId,
    costMicros: all.some(({ costMicros }) => costMicros === null)
      ? null
      : all.reduce((sum, { costMicros }) => sum + (costMicros ?? 0), 0),
    currency: all.find(({ currency }) => currency)?.currency ?? null,
    excess: excessOf(all),
  }));
}

function excessOf(attempts: readonly Attempt[]): AnswerCost['excess'] {
  const beyond = attempts.flatMap(({ excess }) => excess ?? []);
  if (beyond.length === 0) return null;
  return {
    costMicros: beyond.reduce((sum, { costMicros }) => sum + costMicros, 0),
    tokens: beyond.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
