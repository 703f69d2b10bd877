import { Button } from '@mantine/core';
import type { ServiceHealth } from '@parley/contracts';
import { MailCheck } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import table from '../../../ui/table.module.css';
import { useToast } from '../../../ui/toast.tsx';
import { figuresOf } from '../health-figures.ts';
import classes from '../service-health.module.css';
import { useDeadLetters, type DeadLetterActs } from '../use-dead-letters.ts';
import { LetterTable } from './letter-table.tsx';

/** Events that a service could not handle. They are handled again only after a dry run has told which of them would pass. */
export function DeadLetters({ health }: { health: ServiceHealth }) {
  const { t } = useText();
  const { number } = useFormats();
  const { letters } = health;
  const acts = useDeadLetters(health.organisation.id, letters);
  const { letters: count, parkedKeys } = figuresOf(health);
  const waiting = letters.reduce((sum, letter) => sum + letter.waiting, 0);
  const failure = acts.tryAgain.error ?? acts.replay.error;
  const title = t({ id: 'health.letters.title', defaultMessage: 'Dead letters' });
  return (
    <section aria-label={title} className={classes.part}>
      <header className={classes.partHead}>
        <h2 className="p-h3">{title}</h2>
        <span className="p-meta">
          {t(
            {
              id: 'health.letters.about',
              defaultMessage:
                '{count, plural, =0 {none} other {#}} · {keys, plural, one {# key} other {# keys}} parked, {waiting, plural, one {# event waits} other {# events wait}} behind them',
            },
            { count, keys: parkedKeys, waiting },
          )}
        </span>
        {letters.length > 0 ? <Acts acts={acts} /> : null}
      </header>
      {failure ? (
        <div className={classes.notes}>
          <ErrorNote error={failure} />
        </div>
      ) : null}
      {letters.length > 0 ? (
        <LetterTable letters={letters} acts={acts} />
      ) : (
        <StateView
          icon={MailCheck}
          title={t({ id: 'health.letters.empty', defaultMessage: 'Every event was handled' })}
        >
          {t({
            id: 'health.letters.emptyText',
            defaultMessage: 'An event that a service can’t handle appears here with its cause until it’s handled.',
          })}
        </StateView>
      )}
      {count > letters.length ? (
        <p className={table.foot}>
          {t(
            { id: 'health.letters.cut', defaultMessage: 'The {shown} newest of {count}.' },
            { shown: number(letters.length), count: number(count) },
          )}
        </p>
      ) : null}
    </section>
  );
}

function Acts({ acts: { open, chosen, trials, tryAgain, replay } }: { acts: DeadLetterActs }) {
  const { t } = useText();
  const { clock } = useFormats();
  const toast = useToast();
  const stale = useActionOff();
  const passing = [...trials.byId.values()].filter(({ outcome }) => outcome === 'passes').length;
  const why =
    trials.at === 0
      ? t({ id: 'health.letters.first', defaultMessage: 'A dry run tells first which of them would pass' })
      : t({ id: 'health.letters.noneChosen', defaultMessage: 'None that would pass is chosen' });
  const off = stale ?? (chosen.length === 0 ? offBecause(why) : null);
  const onReplay = () =>
    replay.mutate(undefined, {
      onSuccess: (count) =>
        toast({
          text: t(
            {
              id: 'health.letters.asked',
              defaultMessage: '{count, plural, one {# event is} other {# events are}} handled again',
            },
            { count },
          ),
        }),
    });
  return (
    <span className={classes.acts}>
      {trials.at > 0 ? (
        <output className={table.state}>
          <StatusShape kind={passing > 0 ? 'ok' : 'bad'} />
          {t(
            { id: 'health.letters.dryRun', defaultMessage: '{time}: {count} would pass' },
            { time: clock(trials.at), count: passing },
          )}
        </output>
      ) : null}
      <Button
        variant="default"
        size="xs"
        loading={tryAgain.isPending}
        disabled={open.length === 0}
        onClick={() => tryAgain.mutate()}
        {...stale}
      >
        {t({ id: 'health.letters.try', defaultMessage: 'Dry run' })}
      </Button>
      <Button size="xs" loading={replay.isPending} onClick={onReplay} {...off}>
        {t({ id: 'health.letters.replay', defaultMessage: 'Replay {count}' }, { count: chosen.length })}
      </Button>
    </span>
  );
}
