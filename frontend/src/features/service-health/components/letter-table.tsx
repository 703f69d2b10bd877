import type { ServiceLetter } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable, Status } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import classes from '../service-health.module.css';
import type { DeadLetterActs } from '../use-dead-letters.ts';

type Props = { letters: readonly ServiceLetter[]; acts: DeadLetterActs };

export function LetterTable({ letters, acts }: Props) {
  const labels = useLabels();
  return (
    <ListTable
      columns={[
        { key: 'event', label: labels.event },
        { key: 'cause', label: labels.cause },
        { key: 'attempts', label: labels.attempts, isFigure: true },
        { key: 'waiting', label: labels.waiting, isFigure: true },
        { key: 'since', label: labels.since },
        { key: 'trial', label: labels.trial },
      ]}
      items={letters}
      isCurrent={({ id }) => acts.chosen.some((letter) => letter.id === id)}
      cells={(letter) => <Cells letter={letter} acts={acts} />}
    />
  );
}

function useLabels() {
  const { t } = useText();
  return {
    event: t({ id: 'health.letters.event', defaultMessage: 'Event' }),
    cause: t({ id: 'health.letters.cause', defaultMessage: 'Why it stopped' }),
    attempts: t({ id: 'health.letters.attempts', defaultMessage: 'Tries' }),
    waiting: t({ id: 'health.letters.waiting', defaultMessage: 'Behind it' }),
    since: t({ id: 'health.letters.since', defaultMessage: 'Since' }),
    trial: t({ id: 'health.letters.trial', defaultMessage: 'Dry run' }),
  };
}

function Cells({ letter, acts }: { letter: ServiceLetter; acts: DeadLetterActs }) {
  const { t } = useText();
  const { number, ago, exact } = useFormats();
  const labels = useLabels();
  const { id, type, eventId, service, consumer, cause, attempts, waiting, at, isOfAll } = letter;
  const mayPass = acts.trials.byId.get(id)?.outcome === 'passes';
  const name = type || t({ id: 'health.letters.noEvent', defaultMessage: 'not an event' });
  return (
    <>
      <td>
        <label className={classes.event}>
          <input
            type="checkbox"
            className={classes.box}
            aria-label={t({ id: 'health.letters.choose', defaultMessage: 'Replay {name}' }, { name })}
            disabled={!mayPass}
            checked={acts.chosen.some((chosen) => chosen.id === id)}
            onChange={() => acts.toggle(id)}
          />
          <span>
            <span className={table.name}>
              <bdi className="p-mono">{name}</bdi>
            </span>
            <span className={table.second}>
              <bdi className="p-mono">{eventId}</bdi>
            </span>
          </span>
        </label>
      </td>
      <td>
        <bdi>{cause.code ? `${cause.name} ${cause.code}` : cause.name}</bdi>
        <span className={table.second}>
          <bdi>{[`${service}: ${consumer}`, cause.place].filter((part) => part !== null).join(' · ')}</bdi>
        </span>
        {isOfAll ? (
          <span className={table.second}>
            {t({ id: 'health.letters.ofAll', defaultMessage: 'concerns no one organisation' })}
          </span>
        ) : null}
      </td>
      <td className={table.figure} data-label={labels.attempts}>
        {number(attempts)}
      </td>
      <td className={table.figure} data-label={labels.waiting}>
        {number(waiting)}
      </td>
      <td className={table.quiet} title={exact(at)} data-label={labels.since}>
        {ago(at)}
      </td>
      <td>
        <Trial letter={letter} acts={acts} />
      </td>
    </>
  );
}

function Trial({ letter: { id, reason, isRetrying }, acts }: { letter: ServiceLetter; acts: DeadLetterActs }) {
  const { t } = useText();
  const trial = acts.trials.byId.get(id);
  const words = {
    passes: t({ id: 'health.trial.passes', defaultMessage: 'Would pass' }),
    fails: t({ id: 'health.trial.fails', defaultMessage: 'Would fail again' }),
    gone: t({ id: 'health.trial.gone', defaultMessage: 'Was handled' }),
    never: t({ id: 'health.trial.never', defaultMessage: 'Cannot be handled' }),
  };
  const [kind, text] = isRetrying
    ? (['running', t({ id: 'health.trial.retrying', defaultMessage: 'Is handled again' })] as const)
    : acts.tryAgain.isPending
      ? (['running', t({ id: 'health.trial.running', defaultMessage: 'Is being tried' })] as const)
      : trial
        ? ([trial.outcome === 'passes' || trial.outcome === 'gone' ? 'ok' : 'bad', words[trial.outcome]] as const)
        : reason === 'malformed'
          ? (['bad', words.never] as const)
          : (['waiting', t({ id: 'health.trial.none', defaultMessage: 'Not tried yet' })] as const);
  const cause = trial?.cause;
  return (
    <span>
      <Status kind={kind}>{text}</Status>
      {cause ? (
        <span className={table.second}>
          <bdi>{cause.code ? `${cause.name} ${cause.code}` : cause.name}</bdi>
        </span>
      ) : null}
    </span>
  );
}
