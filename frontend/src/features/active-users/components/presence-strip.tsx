import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { useSeats } from '../../../domain/role/use-roles.ts';
import classes from './active-users.module.css';

type Counts = { online: number; idle: number; answers: number; askers: number };

/** The organisation in three figures, whatever is filtered. */
export function PresenceStrip({ counts }: { counts: Counts }) {
  const { t } = useText();
  const members = useSeats()?.used;
  return (
    <dl className={`p-meta ${classes.strip}`}>
      <Figure label={t({ id: 'active.presence.online', defaultMessage: 'Online' })} value={counts.online}>
        {members === undefined
          ? null
          : t(
              { id: 'active.strip.members', defaultMessage: 'of {count, plural, one {# member} other {# members}}' },
              { count: members },
            )}
      </Figure>
      <Figure label={t({ id: 'active.presence.idle', defaultMessage: 'Idle' })} value={counts.idle}>
        {t({ id: 'active.strip.idle', defaultMessage: 'nothing done for 5 min' })}
      </Figure>
      <Figure label={t({ id: 'active.column.answers', defaultMessage: 'Running answers' })} value={counts.answers}>
        {t(
          { id: 'active.strip.askers', defaultMessage: 'for {count, plural, one {# person} other {# people}}' },
          { count: counts.askers },
        )}
      </Figure>
    </dl>
  );
}

function Figure({ label, value, children }: { label: string; value: number; children: ReactNode }) {
  const { number } = useFormats();
  return (
    <div className={classes.cell}>
      <dt>{label}</dt>
      <dd className={classes.value}>{number(value)}</dd>
      <dd>{children}</dd>
    </div>
  );
}
