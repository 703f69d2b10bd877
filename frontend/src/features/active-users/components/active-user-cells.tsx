import type { ActiveUser } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { memo } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { RoleCells } from '../../../domain/role/role-cells.tsx';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import table from '../../../ui/table.module.css';
import type { PeopleAct } from '../people-act.ts';
import { usePresenceNames } from '../use-presence-names.ts';
import { ActiveUserMenu } from './active-user-menu.tsx';
import classes from './active-users.module.css';
import { Status } from '../../../ui/list-table.tsx';

type Props = {
  person: ActiveUser;
  isChosen: boolean;
  onToggle: (userId: UserId) => void;
  onAct: (act: PeopleAct) => void;
};

export const ActiveUserCells = memo(function ActiveUserCells({ person, isChosen, onToggle, onAct }: Props) {
  const { t } = useText();
  const { ago, exact, number } = useFormats();
  const isMe = useTab().me.id === person.userId;
  const { userId, name, email, role, groupIds, presence, actedAt, answers } = person;
  return (
    <>
      <td className={classes.choose}>
        <input
          type="checkbox"
          className={classes.box}
          aria-label={t({ id: 'active.row.choose', defaultMessage: 'Choose {name}' }, { name })}
          checked={isChosen}
          onChange={() => onToggle(userId)}
        />
      </td>
      <td className={classes.person}>
        <span className={table.named}>
          <PersonAvatar id={userId} name={name} picture={person.picture} presence={presence} />
          <span>
            <span className={table.name}>
              <bdi>{name}</bdi>
              {isMe ? <span className={table.you}>{t({ id: 'active.row.you', defaultMessage: 'you' })}</span> : null}
            </span>
            {email ? <bdi className={`${table.second} ${classes.email}`}>{email}</bdi> : null}
          </span>
        </span>
      </td>
      <RoleCells role={role} groupIds={groupIds} classes={{ role: classes.role, groups: classes.groups }} />
      <PresenceCell person={person} />
      <td className={`${table.quiet} ${classes.acted}`} {...(actedAt && { title: exact(actedAt) })}>
        {actedAt ? ago(actedAt) : t({ id: 'active.row.never', defaultMessage: 'None yet' })}
      </td>
      <td className={`${table.figure} ${classes.answers}`} data-none={answers === 0 || undefined}>
        <span className={table.state}>
          {answers > 0 ? <StatusShape kind="running" /> : null}
          {number(answers)}
          <span className={classes.what}>
            {t(
              {
                id: 'active.row.answers',
                defaultMessage: '{count, plural, one {running answer} other {running answers}}',
              },
              { count: answers },
            )}
          </span>
        </span>
      </td>
      <Devices devices={person.devices} />
      <td className={table.actions}>
        <ActiveUserMenu person={person} isMe={isMe} onAct={onAct} />
      </td>
    </>
  );
});

function PresenceCell({ person: { presence, status, reason } }: { person: ActiveUser }) {
  const { t } = useText();
  const names = usePresenceNames();
  if (status === 'suspended')
    return (
      <td className={classes.presence}>
        <Status kind="off">{t({ id: 'active.row.suspended', defaultMessage: 'Suspended' })}</Status>
        {reason ? <bdi className={table.second}>{reason}</bdi> : null}
      </td>
    );
  return <td className={`${classes.presence} ${presence === 'online' ? '' : table.quiet}`}>{names[presence]}</td>;
}

function Devices({ devices }: Pick<ActiveUser, 'devices'>) {
  const { t, intl } = useText();
  const unknown = t({ id: 'active.row.unknownDevice', defaultMessage: 'Unknown device' });
  const words = devices.map(({ browser, system }) => [browser, system].filter(Boolean).join(', ') || unknown);
  const count = t(
    { id: 'active.row.devices', defaultMessage: '{count, plural, one {# device} other {# devices}}' },
    { count: devices.length },
  );
  return (
    <td className={`${table.quiet} ${classes.devices}`} title={intl.formatList(words, { type: 'unit' })}>
      {devices.length === 1 ? <bdi>{words[0]}</bdi> : count}
    </td>
  );
}
