import { useInfiniteQuery } from '@tanstack/react-query';
import { api, type Answer } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { pagingOf } from '../../../lib/use-list.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { ListEdge } from '../../../ui/list-edge.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/billing.module.css';
import type { Spend } from './spend-chart.tsx';
import { SpentCells, useSpentColumns } from './spent-cells.tsx';

const pageSize = 20;
const refetchMs = 5_000;
type Page = Answer<'GET /api/billing/spenders'>;

/** What each person has cost, the most first. */
export function SpendByPerson({ month, spend }: { month: string; spend: Spend }) {
  const { models } = spend;
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const columns = useSpentColumns(t({ id: 'billing.byPerson.person', defaultMessage: 'Person' }), spend.timeZone);
  const title = t({ id: 'billing.byPerson.title', defaultMessage: 'By person' });
  const query = useInfiniteQuery({
    queryKey: resourceKey('spenders', orgId, month),
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const asked = { month, limit: pageSize, ...(pageParam !== null && { cursor: pageParam }) };
      return api('GET /api/billing/spenders', { orgId, query: asked, signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: refetchMs,
  });
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const all = models.reduce((sum, { costMicros }) => sum + costMicros, 0);
  const gone = t({ id: 'billing.byPerson.gone', defaultMessage: 'Former member' });
  if (query.data?.pages[0]?.isHidden)
    return (
      <section className={classes.rows} aria-label={title}>
        <h3 className={`p-h3 ${classes.partTitle}`}>{title}</h3>
        <p className="p-sm p-quiet">
          {t({
            id: 'billing.byPerson.hidden',
            defaultMessage: 'Fewer than 5 people used anything this month, so they are only part of the totals.',
          })}
        </p>
      </section>
    );
  if (items.length === 0) return null;
  return (
    <section className={classes.rows} aria-label={title}>
      <h3 className={`p-h3 ${classes.partTitle}`}>{title}</h3>
      <ListTable
        columns={columns}
        items={items.map((row, index) => ({ id: row.userId ?? String(index), ...row }))}
        cells={(row) => (
          <>
            <td>
              {row.userId === null ? (
                <span className="p-mono" dir="ltr">
                  {row.pseudonym}
                </span>
              ) : (
                <span className={table.named}>
                  <PersonAvatar id={row.userId} name={row.name ?? '–'} size={24} />
                  <bdi className={table.name}>{row.name ?? gone}</bdi>
                </span>
              )}
            </td>
            <SpentCells spent={row} of={all} spend={spend} />
          </>
        )}
      />
      <ListEdge {...pagingOf(query).edge} />
    </section>
  );
}
