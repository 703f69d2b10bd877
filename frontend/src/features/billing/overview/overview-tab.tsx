import { dayAt } from '@parley/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isMonth } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { pollEvery } from '../../../lib/poll.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useUrlFilters } from '../../../lib/url-filters.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import classes from '../parts/billing.module.css';
import { LatestInvoices } from './latest-invoices.tsx';
import { MonthChoice } from './month-choice.tsx';
import { SeatFacts } from '../parts/seat-facts.tsx';
import { SetPrices } from '../parts/set-prices.tsx';
import { SpendByChatbot } from './spend-by-chatbot.tsx';
import { SpendByGroup } from './spend-by-group.tsx';
import { SpendByModel } from './spend-by-model.tsx';
import { SpendByPerson } from './spend-by-person.tsx';
import { SpendChart, type Spend } from './spend-chart.tsx';
import { useModelName } from '../../../domain/model/model-name.ts';
import { monthlyOf, useBudgets } from '../budgets/use-budgets.ts';

/** No event tells of entries in the ledger: they are read again while somebody looks. */
const refetchMs = 2_000;

/** A month: what was spent, what it may become, and for what; beside it seats and invoices. */
export function OverviewTab() {
  const { t } = useText();
  const maySeePeople = useRight('member:read');
  const maySeeGroups = useRight('group:read');
  const { id: orgId, timeZone: ofOrganisation } = useTab().organisation;
  const [now] = useState(() => Date.now());
  const today = dayAt(now, ofOrganisation);
  const thisMonth = today.slice(0, 7);
  const [{ month: named }, setFilters] = useUrlFilters({ month: 'text' });
  const month = isMonth(named) && named < thisMonth ? named : thisMonth;
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('spend', orgId, month),
    queryFn: ({ signal }) => api('GET /api/billing/spend', { orgId, query: { month }, signal }),
    refetchInterval: pollEvery(refetchMs),
    placeholderData: keepPreviousData,
  });
  const { data: budgets } = useBudgets();
  const budget = monthlyOf(budgets?.items ?? []);
  return (
    <div className={classes.overview}>
      <div className={classes.main}>
        <MonthChoice
          month={month}
          isLatest={month === thisMonth}
          timeZone={data?.timeZone ?? ofOrganisation}
          onChange={(next) => setFilters({ month: next === thisMonth ? null : next })}
        />
        {data ? (
          <>
            {data.models.length > 0 ? (
              <SpendChart
                spend={data}
                month={month}
                today={today}
                now={now}
                budget={month === thisMonth ? budget : null}
              />
            ) : null}
            <div className={classes.notes}>
              <UnpricedNote models={data.models} />
              <UtcNote spend={data} />
              {data.isCut ? (
                <Note kind="warning">
                  {t({
                    id: 'billing.overview.cut',
                    defaultMessage: 'There is more in this month than is added up here: the later days are missing.',
                  })}
                </Note>
              ) : null}
            </div>
            <SpendByModel spend={data} />
          </>
        ) : error ? (
          <FailureView
            title={t({ id: 'billing.overview.failed', defaultMessage: 'The spend could not be loaded' })}
            error={error}
            onRetry={() => void refetch()}
          />
        ) : (
          <SkeletonRows label={t({ id: 'billing.overview.loading', defaultMessage: 'The spend is loading' })} />
        )}
        {data ? <SpendByChatbot spend={data} /> : null}
        {maySeeGroups && data ? <SpendByGroup month={month} spend={data} /> : null}
        {maySeePeople && data ? <SpendByPerson month={month} spend={data} /> : null}
      </div>
      <div className={classes.side}>
        <SeatFacts />
        <LatestInvoices />
      </div>
    </div>
  );
}

/** Days of before the upgrade begin at midnight UTC still. */
function UtcNote({ spend: { days, currency, timeZone } }: { spend: Spend }) {
  const { t } = useText();
  const { cost } = useFormats();
  const utcMicros = days.reduce((sum, day) => sum + day.utcMicros, 0);
  if (utcMicros === 0 || currency === null || timeZone === 'UTC') return null;
  return (
    <Note kind="info">
      {t(
        {
          id: 'billing.overview.utc',
          defaultMessage:
            '{amount} of this month is added up by days in UTC: it was spent before Parley used the organisation’s time zone.',
        },
        { amount: cost(utcMicros, currency) },
      )}
    </Note>
  );
}

type Models = readonly { readonly model: string; readonly unpricedAttempts: number }[];

/** What has no price is in no sum: whoever reads the sum has to know. */
function UnpricedNote({ models }: { models: Models }) {
  const { t, intl } = useText();
  const nameOf = useModelName();
  const unpriced = models.filter(({ unpricedAttempts }) => unpricedAttempts > 0);
  if (unpriced.length === 0) return null;
  const count = unpriced.reduce((sum, { unpricedAttempts }) => sum + unpricedAttempts, 0);
  return (
    <Note kind="warning">
      {t(
        {
          id: 'billing.overview.unpriced',
          defaultMessage:
            '{count, plural, one {# answer is} other {# answers are}} not in these sums, for there was no price: {models}. A platform admin sets prices.',
        },
        { count, models: intl.formatList(unpriced.map(({ model }) => `\u2068${nameOf(model)}\u2069`)) },
      )}{' '}
      <SetPrices />
    </Note>
  );
}
