import type { DayUsage } from '@parley/contracts';
import { useModelName } from '../../../domain/model/model-name.ts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable, PartBar } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { byModel, sumOf, tokensOf } from './usage-month.ts';
import classes from './usage.module.css';

const everyModel = 'all';

/** What each model has used of the month, the most first, and all of them. */
export function UsageByModel({ days, currency }: { days: readonly DayUsage[]; currency: string | null }) {
  const { t, intl } = useText();
  const costOf = useCost(currency);
  const cost = t({ id: 'settings.usage.cost', defaultMessage: 'Cost' });
  const all = { model: everyModel, ...sumOf(days) };
  const answers = t({ id: 'settings.usage.answersColumn', defaultMessage: 'Answers' });
  const tokens = t({ id: 'settings.usage.tokensColumn', defaultMessage: 'Tokens' });
  const title = t({ id: 'settings.usage.byModel', defaultMessage: 'By model' });
  const columns = [
    { key: 'model', label: t({ id: 'settings.usage.model', defaultMessage: 'Model' }) },
    {
      key: 'share',
      label:
        all.costMicros > 0
          ? t({ id: 'settings.usage.shareOfCost', defaultMessage: 'Share of cost' })
          : t({ id: 'settings.usage.share', defaultMessage: 'Share' }),
    },
    { key: 'answers', label: answers, isFigure: true },
    { key: 'tokens', label: tokens, isFigure: true },
    ...(currency === null ? [] : [{ key: 'cost', label: cost, isFigure: true }]),
  ];
  const partOf = (row: typeof all): number =>
    all.costMicros > 0 ? row.costMicros / all.costMicros : tokensOf(row) / Math.max(1, tokensOf(all));
  const modelName = useModelName();
  const nameOf = (model: string): string =>
    model === everyModel ? t({ id: 'settings.usage.all', defaultMessage: 'All models' }) : modelName(model);
  return (
    <section aria-label={title}>
      <header className={classes.partHead}>
        <h3 className="p-h3">{title}</h3>
      </header>
      <ListTable
        columns={columns}
        items={[...byModel(days), all].map((row) => ({ id: row.model, ...row }))}
        cells={(row) => (
          <>
            <td>
              <bdi className={table.name}>{nameOf(row.model)}</bdi>
            </td>
            <td>{row.id === everyModel ? null : <PartBar part={partOf(row)} />}</td>
            <td className={table.figure} data-label={answers}>
              {intl.formatNumber(row.answers)}
            </td>
            <td className={table.figure} data-label={tokens}>
              {intl.formatNumber(tokensOf(row))}
            </td>
            {currency === null ? null : (
              <td className={table.figure} data-label={cost}>
                {costOf(row)}
              </td>
            )}
          </>
        )}
      />
    </section>
  );
}

/** What has no price at all is unpriced, not free. */
function useCost(currency: string | null) {
  const { t } = useText();
  const { cost } = useFormats();
  return ({ costMicros, unpricedAttempts }: Pick<DayUsage, 'costMicros' | 'unpricedAttempts'>): string =>
    currency === null || (costMicros === 0 && unpricedAttempts > 0)
      ? t({ id: 'settings.usage.unpriced', defaultMessage: 'no price' })
      : cost(costMicros, currency);
}
