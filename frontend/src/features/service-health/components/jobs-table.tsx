import { mostLaterJobs, type ReadingService, type ServiceHealth } from '@parley/contracts';
import { ChevronDown, ListChecks } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import table from '../../../ui/table.module.css';
import { useJobNames } from '../job-names.ts';
import classes from '../service-health.module.css';
import { useRunJobs } from '../use-run-jobs.ts';
import { ParkedElsewhere } from './parked-elsewhere.tsx';
import { ParkedJobs } from './parked-jobs.tsx';

type OfKind = NonNullable<ServiceHealth['services'][number]['jobs']>[number];
type KindRow = OfKind & {
  readonly row: 'kind';
  readonly id: string;
  readonly service: ReadingService;
  /** The service has more scheduled jobs than are counted. */
  readonly isLaterCut: boolean;
};
type AwayRow = { readonly row: 'away'; readonly id: string; readonly service: ReadingService };
type Row = KindRow | AwayRow | { readonly row: 'parked'; readonly id: string; readonly of: KindRow };

/** Background work by kind, of all organisations; parked jobs of this one open below their kind. */
export function JobsTable({ health }: { health: ServiceHealth }) {
  const { t } = useText();
  const run = useRunJobs(health.organisation.id);
  const [open, setOpen] = useState<string | null>(null);
  const labels = useLabels();
  const title = t({ id: 'health.jobs.title', defaultMessage: 'Jobs' });
  const rows = health.services.flatMap(rowsOf);
  const shown = rows.flatMap((row): Row[] =>
    row.row === 'kind' && row.id === open && row.parkedHere > 0
      ? [row, { row: 'parked', id: `parked ${row.id}`, of: row }]
      : [row],
  );
  return (
    <section aria-label={title} className={classes.part}>
      <header className={classes.partHead}>
        <h2 className="p-h3">{title}</h2>
        <span className="p-meta">
          {t({ id: 'health.jobs.about', defaultMessage: 'Background work of all organisations' })}
        </span>
      </header>
      {run.error ? (
        <div className={classes.notes}>
          <ErrorNote error={run.error} />
        </div>
      ) : null}
      {rows.length > 0 ? (
        <ListTable
          columns={[
            { key: 'job', label: labels.job },
            { key: 'waiting', label: labels.waiting, isFigure: true },
            { key: 'running', label: labels.running, isFigure: true },
            { key: 'later', label: labels.later, isFigure: true },
            { key: 'parked', label: labels.parked, isFigure: true },
            { key: 'state', label: labels.state },
          ]}
          items={shown}
          isCurrent={({ id }) => id === open}
          cells={(row) =>
            row.row === 'parked' ? (
              <td colSpan={6} className={classes.opened}>
                <ParkedJobs of={row.of} run={run} />
              </td>
            ) : (
              <Cells row={row} isOpen={row.id === open} onToggle={() => setOpen(row.id === open ? null : row.id)} />
            )
          }
        />
      ) : (
        <StateView icon={ListChecks} title={t({ id: 'health.jobs.empty', defaultMessage: 'No jobs right now' })}>
          {t({
            id: 'health.jobs.emptyText',
            defaultMessage: 'Exports, imports, emails and other background work appear here while they wait or run.',
          })}
        </StateView>
      )}
      <ParkedElsewhere organisations={health.parkedElsewhere} />
    </section>
  );
}

function useLabels() {
  const { t } = useText();
  return {
    job: t({ id: 'health.jobs.job', defaultMessage: 'Job' }),
    waiting: t({ id: 'health.jobs.waiting', defaultMessage: 'Waiting' }),
    running: t({ id: 'health.jobs.running', defaultMessage: 'Running' }),
    later: t({ id: 'health.jobs.later', defaultMessage: 'Scheduled' }),
    parked: t({ id: 'health.jobs.parked', defaultMessage: 'Parked' }),
    state: t({ id: 'health.jobs.state', defaultMessage: 'Status' }),
  };
}

/** A row for each kind that has jobs, or one for a service that doesn't respond. */
function rowsOf({ service, jobs }: ServiceHealth['services'][number]): (KindRow | AwayRow)[] {
  if (!jobs) return [{ row: 'away', id: service, service }];
  const isLaterCut = jobs.reduce((sum, { later }) => sum + later, 0) >= mostLaterJobs;
  return jobs
    .filter(({ waiting, running, later, parked }) => waiting + running + later + parked > 0)
    .map((of) => ({ ...of, row: 'kind' as const, id: `${service} ${of.kind}`, service, isLaterCut }));
}

type CellsProps = { row: KindRow | AwayRow; isOpen: boolean; onToggle: () => void };

function Cells({ row, isOpen, onToggle }: CellsProps) {
  const { t } = useText();
  const { number } = useFormats();
  const labels = useLabels();
  const nameOf = useJobNames();
  if (row.row === 'away')
    return (
      <>
        <td className={classes.job}>
          <span className={table.name}>{row.service}</span>
        </td>
        {[labels.waiting, labels.running, labels.later, labels.parked].map((label) => (
          <td key={label} className={table.figure} data-label={label}>
            –
          </td>
        ))}
        <td className={classes.readerState}>
          <Status kind="off">{t({ id: 'health.jobs.away', defaultMessage: 'Not responding' })}</Status>
        </td>
      </>
    );
  const name = nameOf(row.kind);
  const others = row.parked - row.parkedHere;
  return (
    <>
      <td className={classes.job}>
        {row.parkedHere > 0 ? (
          <button type="button" className={`p-plain ${classes.open}`} aria-expanded={isOpen} onClick={onToggle}>
            {name}
            <ChevronDown size={14} />
          </button>
        ) : (
          <span className={table.name}>{name}</span>
        )}
        <span className={table.second}>{row.service}</span>
      </td>
      <td className={table.figure} data-label={labels.waiting}>
        {number(row.waiting)}
      </td>
      <td className={table.figure} data-label={labels.running}>
        {number(row.running)}
      </td>
      <td className={table.figure} data-label={labels.later}>
        {row.isLaterCut ? `${number(row.later)}+` : number(row.later)}
      </td>
      <td className={table.figure} data-label={labels.parked}>
        {number(row.parked)}
        {others > 0 ? (
          <span className={table.second}>
            {t({ id: 'health.jobs.others', defaultMessage: '{count} elsewhere' }, { count: number(others) })}
          </span>
        ) : null}
      </td>
      <td className={classes.readerState}>
        <JobState of={row} />
      </td>
    </>
  );
}

function JobState({ of: { parked, retrying, running, waiting } }: { of: OfKind }) {
  const { t } = useText();
  const [kind, text] =
    parked > 0
      ? (['bad', t({ id: 'health.jobs.isParked', defaultMessage: 'Parked' })] as const)
      : retrying > 0
        ? ([
            'warning',
            t(
              {
                id: 'health.jobs.retrying',
                defaultMessage: '{count, plural, one {Retrying # job} other {Retrying # jobs}}',
              },
              { count: retrying },
            ),
          ] as const)
        : running > 0
          ? (['running', t({ id: 'health.jobs.isRunning', defaultMessage: 'Running' })] as const)
          : waiting > 0
            ? (['waiting', t({ id: 'health.jobs.isWaiting', defaultMessage: 'Waiting' })] as const)
            : (['ok', t({ id: 'health.jobs.isScheduled', defaultMessage: 'Scheduled' })] as const);
  return <Status kind={kind}>{text}</Status>;
}
