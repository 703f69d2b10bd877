import { dayAt } from '@parley/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { pollEvery } from '../../../lib/poll.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useUrlFilters } from '../../../lib/url-filters.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows, StateView } from '../../../ui/state-view.tsx';
import { MyBudgetList } from './my-budget-list.tsx';
import { MonthBar } from './month-bar.tsx';
import { UsageByModel } from './usage-by-model.tsx';
import { UsageCharts } from './usage-charts.tsx';
import { UsageFigures } from './usage-figures.tsx';
import { WhoSees } from './who-sees.tsx';
import { isMonth } from '../../../lib/days.ts';
import { useMyBudgets } from '../../../domain/budget/my-budgets.ts';
import classes from './usage.module.css';

/** No event tells of entries in the ledger: they are read again while somebody looks. */
const refetchMs = 15_000;

/** What one has used in the organisation of the tab, month by month. */
export function UsageTab() {
  const { t } = useText();
  const { me, organisation } = useTab();
  const zone = me.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [now] = useState(() => Date.now());
  const today = dayAt(now, zone);
  const thisMonth = today.slice(0, 7);
  const [{ month: named }, setFilters] = useUrlFilters({ month: 'text' });
  const month = isMonth(named) && named < thisMonth ? named : thisMonth;
  const orgId = organisation.id;
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('my-usage', orgId, month, zone),
    queryFn: ({ signal }) => api('GET /api/billing/my-usage', { orgId, query: { month, zone }, signal }),
    refetchInterval: pollEvery(refetchMs),
    placeholderData: keepPreviousData,
  });
  const { data: budgets } = useMyBudgets({ refetchInterval: refetchMs });
  if (error && !data)
    return (
      <FailureView
        title={t({ id: 'settings.usage.failed', defaultMessage: 'Your usage could not be loaded' })}
        error={error}
        onRetry={() => void refetch()}
      />
    );
  if (!data)
    return <SkeletonRows label={t({ id: 'settings.usage.loading', defaultMessage: 'Your usage is loading' })} />;
  const { days, isCut, currency } = data;
  const isLatest = month === thisMonth;
  return (
    <>
      <MonthBar
        month={month}
        isLatest={isLatest}
        onChange={(next) => setFilters({ month: next === thisMonth ? null : next })}
      />
      {days.length === 0 ? null : (
        <UsageFigures days={days} today={isLatest ? today : null} currency={currency} budgets={budgets} />
      )}
      <div className={classes.sheet}>
        {days.length === 0 ? (
          <NothingUsed />
        ) : (
          <div className={classes.parts}>
            {isCut ? (
              <Note kind="warning">
                {t({
                  id: 'settings.usage.cut',
                  defaultMessage: 'There is more in this month than is added up here: the later days are missing.',
                })}
              </Note>
            ) : null}
            <UsageCharts days={days} month={month} today={today} zone={zone} currency={currency} />
            <UsageByModel days={days} currency={currency} />
          </div>
        )}
        <aside className={classes.side}>
          {budgets ? <MyBudgetList budgets={budgets} /> : null}
          <WhoSees />
        </aside>
      </div>
    </>
  );
}

function NothingUsed() {
  const { t } = useText();
  return (
    <StateView icon={ChartColumn} title={t({ id: 'settings.usage.empty', defaultMessage: 'No usage in this month' })}>
      {t({
        id: 'settings.usage.emptyText',
        defaultMessage: 'Each answer that you get in this organisation counts here, with its tokens.',
      })}
    </StateView>
  );
}
