import type { PeopleSpan } from '@parley/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api, isProblem, type Answer } from '../../../lib/http.ts';
import { pollEvery } from '../../../lib/poll.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { useAmounts } from '../use-amounts.ts';
import { useCountedModelName } from '../use-model-name.ts';
import { refetchMs } from '../use-people.ts';
import classes from '../user-monitoring.module.css';
import { HourMap } from './hour-map.tsx';
import { NameFoot } from './name-foot.tsx';

export type Use = Answer<'GET /api/monitoring/people/:personId'>;
type Props = { personId: string; span: PeopleSpan; onClose: () => void };

/** When and with what somebody used it; no text of any chat. */
export function PersonPanel({ personId, span, onClose }: Props) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const { data, error, refetch } = useQuery({
    queryKey: resourceKey('people', orgId, 'one', personId, span),
    queryFn: ({ signal }) =>
      api('GET /api/monitoring/people/:personId', { orgId, params: { personId }, query: { span }, signal }),
    refetchInterval: pollEvery(refetchMs),
    placeholderData: keepPreviousData,
  });
  const isGone = isProblem(error, 'monitoring.person-not-found');
  const shown = isGone ? undefined : data;
  const title = shown?.person.pseudonym ?? t({ id: 'people.panel.title', defaultMessage: 'Person' });
  return (
    <SidePanel title={title} onClose={onClose}>
      {isGone ? (
        <p className="p-sm p-quiet">
          {t({
            id: 'people.panel.gone',
            defaultMessage: 'Nobody has this pseudonym in this time, or fewer than 5 people were active.',
          })}
        </p>
      ) : shown ? (
        <Parts use={shown} />
      ) : error ? (
        <FailureView
          title={t({ id: 'people.panel.failed', defaultMessage: 'This could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows label={t({ id: 'people.panel.loading', defaultMessage: 'It is loading' })} />
      )}
    </SidePanel>
  );
}

function Parts({ use }: { use: Use }) {
  return (
    <>
      <HourMap hours={use.hours} />
      <ModelShares use={use} />
      <NameFoot person={use.person} />
    </>
  );
}

/** What each model has cost; where nothing has a price, how often it was asked. */
function ModelShares({ use: { person, models, currency } }: { use: Use }) {
  const { t } = useText();
  const amounts = useAmounts(currency);
  const nameOf = useCountedModelName();
  const hasCost = person.costMicros > 0;
  const partOf = ({ costMicros, attempts }: Use['models'][number]): number =>
    hasCost ? costMicros / person.costMicros : attempts / person.attempts;
  const title = t({ id: 'people.spent.title', defaultMessage: 'Spent' });
  return (
    <section className={classes.part} aria-label={title}>
      <header className={classes.partHead}>
        <h3 className="p-h3">{title}</h3>
        <span className={classes.amount}>{amounts.cost(person)}</span>
      </header>
      <ul className={classes.models}>
        {models.map((row) => (
          <li key={row.model}>
            <bdi className={classes.model}>{nameOf(row.model)}</bdi>
            <span className={classes.track} aria-hidden="true">
              <i className={classes.filled} style={{ inlineSize: `${100 * partOf(row)}%` }} />
            </span>
            <span className={classes.amount}>{amounts.percent(partOf(row))}</span>
            <span className={classes.amount}>{amounts.cost(row)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
