import type { Member } from '@parley/contracts';
import { memo } from 'react';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { PersonAvatar } from '../../../domain/picture/avatar.tsx';
import table from '../../../ui/table.module.css';
import type { PeopleAct } from '../people/people-act.ts';
import { MemberMenu } from './member-menu.tsx';
import { PeopleCells } from '../people/people-cells.tsx';

type Props = { member: Member; isNew: boolean; onAct: (act: PeopleAct) => void };

export const MemberCells = memo(function MemberCells({ member, isNew, onAct }: Props) {
  const { t } = useText();
  const isMe = useTab().me.id === member.userId;
  const state = useMemberState(member, isNew);
  return (
    <PeopleCells
      mark={<PersonAvatar id={member.userId} name={member.name} picture={member.picture} />}
      name={
        <span className={table.name}>
          <bdi>{member.name}</bdi>
          {isMe ? (
            <span className={table.you}>{t({ id: 'organisation.people.you', defaultMessage: 'you' })}</span>
          ) : null}
        </span>
      }
      second={member.email ? <bdi>{member.email}</bdi> : null}
      role={member.role}
      groupIds={member.groupIds}
      state={state}
      since={member.joinedAt}
      actions={<MemberMenu member={member} isMe={isMe} onAct={onAct} />}
    />
  );
});

function useMemberState({ status, reason }: Member, isNew: boolean) {
  const { t } = useText();
  if (status === 'suspended')
    return {
      kind: 'off',
      text: t({ id: 'organisation.state.suspended', defaultMessage: 'Suspended' }),
      second: reason,
    } as const;
  const text = isNew
    ? t({ id: 'organisation.state.joined', defaultMessage: 'Joined just now' })
    : t({ id: 'organisation.state.active', defaultMessage: 'Active' });
  return { kind: 'ok', text } as const;
}
