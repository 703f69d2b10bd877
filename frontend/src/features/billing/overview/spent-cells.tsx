import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { type Column, PartBar } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { NoFigure } from '../../../ui/no-figure.tsx';
import { useMoney } from '../state/use-money.ts';
import type { Spend } from './spend-chart.tsx';

type Spent = { readonly attempts: number; readonly unpricedAttempts: number; readonly costMicros: number };

export function useSpentColumns(first: string, timeZone: string): Column[] {
  const { t } = useText();
  const answers = useAnswersLabel(timeZone);
  return [
    { key: 'what', label: first },
    { key: 'share', label: t({ id: 'billing.spent.share', defaultMessage: 'Share' }) },
    { key: 'attempts', label: answers, isFigure: true },
    { key: 'spent', label: t({ id: 'billing.spent.spent', defaultMessage: 'Spent' }), isFigure: true },
  ];
}

/** Says that counts are by days of UTC where money is not. */
function useAnswersLabel(timeZone: string): string {
  const { t } = useText();
  return timeZone === 'UTC'
    ? t({ id: 'billing.spent.answers', defaultMessage: 'Answers' })
    : t({ id: 'billing.spent.answersUtc', defaultMessage: 'Answers (UTC)' });
}

type CellsProps = { spent: Spent; of: number; spend: Pick<Spend, 'currency' | 'timeZone'> };

/** Share, answers and cost of something; what has no price at all is unpriced, not free. */
export function SpentCells({ spent, of, spend: { currency, timeZone } }: CellsProps) {
  const answers = useAnswersLabel(timeZone);
  const { t } = useText();
  const { number } = useFormats();
  const { sum } = useMoney();
  const { attempts, unpricedAttempts, costMicros } = spent;
  const part = of > 0 ? costMicros / of : 0;
  const unpriced = <NoFigure>{t({ id: 'billing.spent.unpriced', defaultMessage: 'no price' })}</NoFigure>;
  return (
    <>
      <td>
        <PartBar part={part} />
      </td>
      <td className={table.figure} data-label={answers}>
        {number(attempts)}
      </td>
      <td className={table.figure} data-label={t({ id: 'billing.spent.spent', defaultMessage: 'Spent' })}>
        {(attempts > 0 && unpricedAttempts === attempts) || !currency ? unpriced : sum(costMicros, currency)}
        {unpricedAttempts > 0 && unpricedAttempts < attempts ? (
          <span className={table.second}>
            {t(
              { id: 'billing.spent.without', defaultMessage: '{count} without a price' },
              { count: number(unpricedAttempts) },
            )}
          </span>
        ) : null}
      </td>
    </>
  );
}
