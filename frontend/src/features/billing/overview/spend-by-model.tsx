import { ChartColumn } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/billing.module.css';
import { useModelName } from '../../../domain/model/model-name.ts';
import type { Spend } from './spend-chart.tsx';
import { SpentCells, useSpentColumns } from './spent-cells.tsx';

/** What each model has cost, the dearest first. */
export function SpendByModel({ spend }: { spend: Spend }) {
  const { models } = spend;
  const { t } = useText();
  const nameOf = useModelName();
  const columns = useSpentColumns(t({ id: 'billing.byModel.model', defaultMessage: 'Model' }), spend.timeZone);
  const title = t({ id: 'billing.byModel.title', defaultMessage: 'By model' });
  const all = models.reduce((sum, { costMicros }) => sum + costMicros, 0);
  if (models.length === 0)
    return (
      <StateView
        icon={ChartColumn}
        title={t({ id: 'billing.overview.empty', defaultMessage: 'Nothing was used in this month' })}
      >
        {t({
          id: 'billing.overview.emptyText',
          defaultMessage: 'Each answer that somebody gets counts here, by its model and its person.',
        })}
      </StateView>
    );
  return (
    <section className={classes.rows} aria-label={title}>
      <h3 className={`p-h3 ${classes.partTitle}`}>{title}</h3>
      <ListTable
        columns={columns}
        items={models.map((row) => ({ id: row.model, ...row }))}
        cells={(row) => (
          <>
            <td>
              <bdi className={table.name}>{nameOf(row.model)}</bdi>
            </td>
            <SpentCells
              spent={row.model === 'builtin' ? { ...row, unpricedAttempts: 0 } : row}
              of={all}
              spend={spend}
            />
          </>
        )}
      />
    </section>
  );
}
