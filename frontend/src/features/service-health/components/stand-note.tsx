import type { ServiceHealth } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { Note } from '../../../ui/note.tsx';
import classes from '../service-health.module.css';

/** Says which services don't answer, how old the figures are, and how many answers an only organisation can have at once. */
export function StandNote({ health, isOld }: { health: ServiceHealth; isOld: boolean }) {
  const { t, intl } = useText();
  const { exact, number } = useFormats();
  const away = health.services.filter(({ events }) => events === null).map(({ service }) => service);
  const { slotsOfOnly } = health;
  if (away.length === 0 && !isOld && !slotsOfOnly) return null;
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
      {slotsOfOnly ? (
        <Note kind="info">
          {t(
            {
              id: 'health.note.slots',
              defaultMessage:
                'This is the only organisation. It can have {ofFlow} of {all} answers at the same time, and one person {ofPerson}. Raise them with PARLEY_SLOTS_OF_A_FLOW and PARLEY_SLOTS_OF_A_PERSON.',
            },
            {
              all: number(slotsOfOnly.all),
              ofFlow: number(slotsOfOnly.ofFlow),
              ofPerson: number(slotsOfOnly.ofPerson),
            },
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
