import type { PersonUse } from '@parley/contracts';
import type { CsvRow } from '../../lib/csv.ts';

/** Pseudonyms only, also of those whose name is shown just now: a file outlives the time for which it is. */
export const csvRowOf = ({ pseudonym, month, lastDay, ...used }: PersonUse, currency: string | null): CsvRow => ({
  pseudonym,
  month,
  attempts: used.attempts,
  unpricedAttempts: used.unpricedAttempts,
  inputTokens: used.inputTokens,
  outputTokens: used.outputTokens,
  costMicros: used.costMicros,
  currency,
  lastDay,
});
