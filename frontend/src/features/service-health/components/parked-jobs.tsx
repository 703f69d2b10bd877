import { Button } from '@mantine/core';
import type { ParkedJob, ReadingService } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import table from '../../../ui/table.module.css';
import { useJobNames } from '../job-names.ts';
import classes from '../service-health.module.css';
import type { RunJobs } from '../use-run-jobs.ts';

type OfKind = {
  readonly service: ReadingService;
  readonly kind: string;
  readonly parkedHere: number;
  readonly parkedJobs: readonly ParkedJob[];
};

/** Parked jobs of one kind, each with its cause, and running them again. */
export function ParkedJobs({ of: { service, kind, parkedHere, parkedJobs }, run }: { of: OfKind; run: RunJobs }) {
  const { t } = useText();
  const { number } = useFormats();
  const nameOf = useJobNames();
  const stale = useActionOff();
  const isRunning = (id?: string) => run.isPending && run.variables.kind === kind && run.variables.ids?.[0] === id;
  return (
    <>
      <ul
        className={classes.parked}
        aria-label={t({ id: 'health.parked.list', defaultMessage: 'Parked: {name}' }, { name: nameOf(kind) })}
      >
        {parkedJobs.map((job) => (
          <li key={job.id}>
            <Why job={job} />
            <Button
              variant="default"
              size="xs"
              loading={isRunning(job.id)}
              aria-label={t({ id: 'health.parked.runOne', defaultMessage: 'Run again: {id}' }, { id: job.id })}
              onClick={() => run.mutate({ service, kind, ids: [job.id] })}
              {...stale}
            >
              {t({ id: 'health.parked.run', defaultMessage: 'Run again' })}
            </Button>
          </li>
        ))}
      </ul>
      {parkedHere > 1 ? (
        <div className={classes.parkedFoot}>
          {parkedHere > parkedJobs.length ? (
            <span className="p-meta">
              {t(
                { id: 'health.parked.cut', defaultMessage: 'The {shown} newest of {count}' },
                { shown: number(parkedJobs.length), count: number(parkedHere) },
              )}
            </span>
          ) : null}
          <Button size="xs" loading={isRunning()} onClick={() => run.mutate({ service, kind })} {...stale}>
            {t(
              {
                id: 'health.parked.runAll',
                defaultMessage: '{count, plural, one {Run # job again} other {Run all # jobs again}}',
              },
              { count: parkedHere },
            )}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Why({ job: { id, cause, attempts, at, isOfAll } }: { job: ParkedJob }) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  return (
    <span className={classes.why}>
      <bdi dir="ltr">{cause ?? t({ id: 'health.parked.noCause', defaultMessage: 'Unknown error' })}</bdi>
      <span className={table.second}>
        <bdi dir="ltr" className="p-mono">
          {id.slice(id.indexOf('/') + 1)}
        </bdi>
      </span>
      <span className={table.second}>
        {t(
          { id: 'health.parked.attempts', defaultMessage: '{count, plural, one {# attempt} other {# attempts}}' },
          { count: attempts },
        )}
        {' · '}
        <time dateTime={at} title={exact(at)}>
          {ago(at)}
        </time>
      </span>
      {isOfAll ? (
        <span className={table.second}>
          {t({ id: 'health.parked.ofAll', defaultMessage: 'Belongs to no organisation' })}
        </span>
      ) : null}
    </span>
  );
}
