import type { PlatformOrganisation } from '@parley/contracts';
import { EyeOff } from 'lucide-react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { Note } from '../../../ui/note.tsx';
import table from '../../../ui/table.module.css';
import { useLastActivity } from './use-platform-organisation.ts';
import { FirstOwnerNote } from './first-owner-note.tsx';
import { LimitsCard } from './limits-card.tsx';
import { SeatsCard } from './seats-card.tsx';
import classes from './platform.module.css';

type Props = { organisation: PlatformOrganisation };

/** What platform admins see of an organisation: how it stands, how many are in it, who answers for it. */
export function PlatformOverview({ organisation }: Props) {
  const { t } = useText();
  return (
    <div className={classes.columns}>
      <div className={classes.column}>
        {organisation.suspension ? <SuspendedNote suspension={organisation.suspension} /> : null}
        {organisation.owners.length === 0 ? <FirstOwnerNote organisation={organisation} /> : null}
        <p className={`p-sm p-quiet ${classes.about}`}>
          <EyeOff />
          {t({
            id: 'organisation.platform.about',
            defaultMessage:
              'You see counts, never content. What you do here stands in the audit log of the organisation.',
          })}
        </p>
        <SeatsCard organisation={organisation} />
        <LimitsCard organisation={organisation} />
      </div>
      <div className={classes.column}>
        <Facts organisation={organisation} />
        {organisation.owners.length > 0 ? <Owners organisation={organisation} /> : null}
      </div>
    </div>
  );
}

function SuspendedNote({
  suspension: { reason, by, at },
}: {
  suspension: NonNullable<Props['organisation']['suspension']>;
}) {
  const { rich } = useText();
  const { exact } = useFormats();
  return (
    <Note kind="warning">
      {rich(
        {
          id: 'organisation.platform.suspended',
          defaultMessage: 'Suspended by {by} on {time}. Its people read: {reason}',
        },
        {
          by: <bdi key="by">{by}</bdi>,
          time: exact(at),
          reason: (
            <b key="reason" dir="auto">
              {reason}
            </b>
          ),
        },
      )}
    </Note>
  );
}

function Facts({ organisation }: Props) {
  const { t } = useText();
  const { number, date, ago, exact } = useFormats();
  const lastActivityAt = useLastActivity(organisation.id);
  const { members, createdAt, slug } = organisation;
  const facts: { label: string; value: string; title?: string }[] = [
    { label: t({ id: 'organisation.platform.slug', defaultMessage: 'URL name' }), value: slug },
    {
      label: t({ id: 'organisation.platform.members', defaultMessage: 'Members' }),
      value: number(members.active + members.suspended),
    },
    {
      label: t({ id: 'organisation.platform.suspendedMembers', defaultMessage: 'Of them suspended' }),
      value: number(members.suspended),
    },
    {
      label: t({ id: 'organisation.platform.created', defaultMessage: 'Created' }),
      value: date(createdAt),
      title: exact(createdAt),
    },
    ...(lastActivityAt === undefined
      ? []
      : [
          {
            label: t({ id: 'organisation.platform.activity', defaultMessage: 'Last activity' }),
            value: ago(lastActivityAt),
            title: exact(lastActivityAt),
          },
        ]),
  ];
  return (
    <dl className={`${classes.card} ${classes.facts}`}>
      {facts.map(({ label, value, title }) => (
        <div key={label} className={`p-sm ${classes.line}`}>
          <dt>{label}</dt>
          <dd title={title}>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Owners({ organisation }: Props) {
  const { t } = useText();
  return (
    <section className={classes.card} aria-labelledby="owners">
      <header className={classes.cardHead}>
        <h2 id="owners" className="p-h3">
          {t({ id: 'organisation.platform.owners', defaultMessage: 'Owners' })}
        </h2>
      </header>
      {organisation.owners.map(({ userId, name, email }) => (
        <div key={userId} className={classes.owner}>
          <PersonAvatar id={userId} name={name} />
          <span>
            <bdi className={table.name}>{name}</bdi>
            <bdi className={table.second} dir="ltr">
              {email}
            </bdi>
          </span>
        </div>
      ))}
    </section>
  );
}
