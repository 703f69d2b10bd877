import { Button } from '@mantine/core';
import { CircleCheck, X } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ChoiceFilters } from '../../../ui/choice-filters.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Note } from '../../../ui/note.tsx';
import { SideBySide } from '../../../ui/side-panel.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { TextFilter } from '../../../ui/text-filter.tsx';
import { ErrorCells, useErrorColumns } from './error-cells.tsx';
import { useDeployableName, useDropNames } from './error-names.ts';
import classes from './errors.module.css';
import scroll from '../parts/organisations.module.css';

const ErrorPanel = lazyPart(async () => (await import('./error-panel.tsx')).ErrorPanel);
const deployables = ['browser', 'bff', 'auth', 'org', 'chat', 'billing', 'monitoring', 'embedded'] as const;
const shown = ['shown'] as const;
/** Nobody's room hears of errors. */
const refetchMs = 2_000;

/** What has failed anywhere in the installation, by groups; beside it one of them. */
export function ErrorsTab() {
  const { t } = useText();
  const columns = useErrorColumns();
  const [search, setSearch] = useSearchParams();
  const list = useList('GET /api/monitoring/collected-errors', {
    filters: { text: 'text', deployable: deployables, resolved: shown, tests: shown },
    refetchMs,
  });
  const { filters, setFilters, first } = list;
  const opened = search.get('error');
  const open = (id: string | null) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      if (id === null) next.delete('error');
      else next.set('error', id);
      return next;
    });
  const toggleTests = () => setFilters({ tests: filters.tests ? null : 'shown' });
  const bar = <ErrorBar filters={filters} setFilters={setFilters} open={first?.open} />;
  const foot = (
    <span className={classes.foot}>
      {filters.tests
        ? t({ id: 'installation.errors.withTests', defaultMessage: 'Tests from the error test page are shown.' })
        : t({ id: 'installation.errors.withoutTests', defaultMessage: 'Tests from the error test page are left out.' })}
      <Button variant="subtle" size="compact-xs" onClick={toggleTests}>
        {filters.tests
          ? t({ id: 'installation.errors.hideTests', defaultMessage: 'Leave them out' })
          : t({ id: 'installation.errors.showTests', defaultMessage: 'Show them' })}
      </Button>
    </span>
  );
  return (
    <SideBySide panel={opened ? <ErrorPanel key={opened} id={opened} onClose={() => open(null)} /> : null}>
      <div className={scroll.scroll}>
        {first?.sink === 'dsn' ? <SinkNote /> : null}
        <ListView
          list={list}
          loading={t({ id: 'installation.errors.loading', defaultMessage: 'The errors are loading' })}
          failed={t({ id: 'installation.errors.failed', defaultMessage: 'The errors could not be loaded' })}
          empty={
            <>
              {bar}
              <StateView
                icon={CircleCheck}
                title={t({ id: 'installation.errors.empty', defaultMessage: 'Nothing is failing' })}
              >
                {t({
                  id: 'installation.errors.emptyText',
                  defaultMessage:
                    'What fails in a browser or on the server appears here for 30 days, without any content.',
                })}
              </StateView>
              <p className={table.foot}>{foot}</p>
            </>
          }
          filtering={{
            bar,
            none: t({ id: 'installation.errors.none', defaultMessage: 'No error fits' }),
            clear: () => setFilters({ text: null, deployable: null, resolved: null, tests: null }),
          }}
          foot={foot}
        >
          {(items) => (
            <ListTable
              columns={columns}
              items={items}
              isCurrent={({ id }) => id === opened}
              cells={(group) => <ErrorCells group={group} onOpen={() => open(group.id)} />}
            />
          )}
        </ListView>
        {first ? <Dropped dropped={first.dropped} /> : null}
      </div>
    </SideBySide>
  );
}

type BarProps = Pick<
  ReturnType<
    typeof useList<
      'GET /api/monitoring/collected-errors',
      { text: 'text'; deployable: typeof deployables; resolved: typeof shown; tests: typeof shown }
    >
  >,
  'filters' | 'setFilters'
> & { open: { groups: number; events: number } | undefined };

function ErrorBar({ filters, setFilters, open }: BarProps) {
  const { t } = useText();
  const nameOf = useDeployableName();
  return (
    <div className={table.bar}>
      <TextFilter
        label={t({ id: 'installation.errors.search', defaultMessage: 'Text or trace id' })}
        text={filters.text}
        onChange={(text) => setFilters({ text })}
      />
      <button
        type="button"
        className={table.chip}
        aria-pressed={filters.resolved === null}
        onClick={() => setFilters({ resolved: filters.resolved ? null : 'shown' })}
      >
        {t({ id: 'installation.errors.notResolved', defaultMessage: 'Not resolved' })}
        {filters.resolved === null ? <X size={14} /> : null}
      </button>
      <ChoiceFilters
        choices={[
          {
            name: 'deployable',
            label: t({ id: 'installation.errors.service', defaultMessage: 'Service' }),
            options: deployables.map((value) => ({ value, label: nameOf(value) })),
          },
        ]}
        values={{ deployable: filters.deployable }}
        onChange={({ deployable = null }) => setFilters({ deployable: deployable as typeof filters.deployable })}
      />
      {open ? (
        <span className={table.end}>
          {t(
            {
              id: 'installation.errors.sum',
              defaultMessage:
                '{groups, plural, one {# group} other {# groups}}, {events, plural, one {# event} other {# events}} in 24 h',
            },
            open,
          )}
        </span>
      ) : null}
    </div>
  );
}

function SinkNote() {
  const { t } = useText();
  return (
    <div className={classes.note}>
      <Note kind="info">
        {t({
          id: 'installation.errors.dsn',
          defaultMessage:
            'Errors go to the receiver that the setting PARLEY_SENTRY_DSN names. Nothing new is collected here.',
        })}
      </Note>
    </div>
  );
}

type DroppedProps = { dropped: readonly { reason: keyof ReturnType<typeof useDropNames>; count: number }[] };

/** What was refused, or left out, by why. */
function Dropped({ dropped }: DroppedProps) {
  const { t } = useText();
  const { number } = useFormats();
  const names = useDropNames();
  if (dropped.length === 0) return null;
  return (
    <div className={classes.dropped}>
      {t({ id: 'installation.errors.dropped', defaultMessage: 'Not kept, in the last 30 days:' })}
      <ul>
        {dropped.map(({ reason, count }) => (
          <li key={reason}>
            {names[reason]}: {number(count)}
          </li>
        ))}
      </ul>
    </div>
  );
}
