import type { ServiceHealth } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import classes from '../service-health.module.css';

/** Which services do not answer, and of when the figures are where they could not be read again. */
export function StandNote({ health, isOld }: { health: ServiceHealth; isOld: boolean }) {
  const { t, intl } = useText();
  const { exact } = useFormats();
  const away = health.services.filter(({ events }) => events === null).map(({ service }) => service);
  if (away.length === 0 && !isOld) return null;
  return (
    <div className={classes.notes}>
      {isOld ? (
        <Note kind="warning">
          {t(
            {
              id: 'health.note.old',
              defaultMessage: 'These figures are of {time}. They go on by themselves as soon as the server tells more.',
            },
            { time: exact(health.at) },
          )}
        </Note>
      ) : null}
      {away.length > 0 ? (
        <Note kind="warning">
          {t(
            {
              id: 'health.note.away',
              defaultMessage:
                '{count, plural, one {The service {names} does} other {The services {names} do}} not answer: what {count, plural, one {it handles} other {they handle}} is missing here until then.',
            },
            { count: away.length, names: intl.formatList(away) },
          )}
        </Note>
      ) : null}
    </div>
  );
}
