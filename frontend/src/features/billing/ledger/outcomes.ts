import type { LedgerEntry } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';

/** How an attempt ended, in words. */
export function useOutcomes(): Record<LedgerEntry['outcome'], string> {
  const { t } = useText();
  return {
    done: t({ id: 'billing.outcome.done', defaultMessage: 'Done' }),
    stopped: t({ id: 'billing.outcome.stopped', defaultMessage: 'Stopped' }),
    cut: t({ id: 'billing.outcome.cut', defaultMessage: 'Cut' }),
    failed: t({ id: 'billing.outcome.failed', defaultMessage: 'Failed' }),
    interrupted: t({ id: 'billing.outcome.interrupted', defaultMessage: 'Interrupted' }),
  };
}
