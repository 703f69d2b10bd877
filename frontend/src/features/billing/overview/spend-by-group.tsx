import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/billing.module.css';
import type { Spend } from './spend-chart.tsx';
import { SpentCells, useSpentColumns } from './spent-cells.tsx';

const refetchMs = 5_000;

/** What the people of each group have cost, the most first; nothing where there are no groups. */
export function SpendByGroup({ month, spend }: { month: string; spend: Spend }) {
  const { models } = spend;
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const columns = useSpentColumns(t({ id: 'billing.byGroup.group', defaultMessage: 'Group' }), spend.timeZone);
  const title = t({ id: 'billing.byGroup.title', defaultMessage: 'By group' });
  const { data } = useQuery({
    queryKey: resourceKey('group-spend', orgId, month),
    queryFn: ({ signal }) => api('GET /api/billing/group-spend', { orgId, query: { month }, signal }),
    refetchInterval: refetchMs,
  });
  const all = models.reduce((sum, { costMicros }) => sum + costMicros, 0);
  if (!data || data.items.length === 0 || models.length === 0) return null;
  return (
    <section className={classes.rows} aria-label={title}>
      <h3 className={`p-h3 ${classes.partTitle}`}>{title}</h3>
      <ListTable
        columns={columns}
        items={data.items}
        cells={(row) => (
          <>
            <td>
              <bdi className={table.name}>{row.name}</bdi>
            </td>
            <SpentCells spent={row} of={all} spend={spend} />
          </>
        )}
      />
      <p className={table.foot}>
        {data.isCut
          ? t({ id: 'billing.byGroup.cut', defaultMessage: 'More people have spent than are added up here.' })
          : t({
              id: 'billing.byGroup.foot',
              defaultMessage: 'By current group members. People in two groups are included in both.',
            })}
      </p>
    </section>
  );
}
