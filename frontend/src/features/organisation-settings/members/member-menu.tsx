import type { Member } from '@parley/contracts';
import { CircleCheck, CircleSlash, Crown, Ellipsis, Shield, UserMinus, Users, type LucideIcon } from 'lucide-react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Menu } from '../../../ui/menu.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { offBecause, useActionOff, type ActionOff } from '../../../ui/stale.tsx';
import type { PeopleAct } from '../people/people-act.ts';
import { usePeopleCommands } from '../people/use-people-commands.ts';
import { useRoles } from '../../../domain/role/use-roles.ts';

type Item = {
  key: string;
  icon: LucideIcon;
  label: string;
  onClick: () => void;
  off: ActionOff | null;
  isRed?: boolean;
};
type Props = { member: Member; isMe: boolean; onAct: (act: PeopleAct) => void };

/** What may be done about a member. What one's own rights do not cover stands there, off, with its reason. */
export function MemberMenu({ member, isMe, onAct }: Props) {
  const { t } = useText();
  const items = useItems({ member, isMe, onAct });
  if (items.length === 0) return null;
  const reason = items.find(({ off }) => off)?.off?.title;
  return (
    <Menu position="bottom-end" width={230} returnFocus>
      <Menu.Target>
        <IconButton
          icon={Ellipsis}
          label={t({ id: 'organisation.people.actions', defaultMessage: 'Actions for {name}' }, { name: member.name })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {reason ? <Menu.Label>{reason}</Menu.Label> : null}
        {items.map(({ key, icon: Icon, label, onClick, off, isRed }) => (
          <Menu.Item
            key={key}
            leftSection={<Icon />}
            {...(isRed && { color: 'var(--p-danger)' })}
            onClick={onClick}
            {...off}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Oneself is neither suspended nor removed here: one leaves on the page of one's organisations. */
function useItems({ member, isMe, onAct }: Props): Item[] {
  const { t } = useText();
  const stale = useActionOff();
  const { restore } = usePeopleCommands();
  const beyond = useRoles().isBeyond(member.role)
    ? offBecause(
        t({ id: 'organisation.off.beyond', defaultMessage: 'This person has permissions that you don’t have' }),
      )
    : null;
  const inactive =
    member.status === 'suspended'
      ? offBecause(t({ id: 'organisation.off.suspended', defaultMessage: 'Restore this person first' }))
      : null;
  const may = {
    role: useRight('member:update_role') && !isMe,
    groups: useRight('group:manage'),
    transfer: useRight('org:transfer') && !isMe && member.role !== 'owner',
    suspend: useRight('member:suspend') && !isMe,
    remove: useRight('member:remove') && !isMe,
  };
  const ask = (kind: Extract<PeopleAct, { member: Member }>['kind']) => () =>
    onAct({ kind, id: member.userId, member });
  const off = stale ?? beyond;
  const [role, groups, transfer, remove]: Item[] = [
    {
      key: 'role',
      icon: Shield,
      label: t({ id: 'organisation.act.role', defaultMessage: 'Change role' }),
      onClick: ask('role'),
      off,
    },
    {
      key: 'groups',
      icon: Users,
      label: t({ id: 'organisation.act.groups', defaultMessage: 'Change groups' }),
      onClick: ask('groups'),
      off: stale,
    },
    {
      key: 'transfer',
      icon: Crown,
      label: t({ id: 'organisation.act.transfer', defaultMessage: 'Make owner in my place' }),
      onClick: ask('transfer'),
      off: stale ?? inactive,
    },
    {
      key: 'remove',
      icon: UserMinus,
      label: t({ id: 'organisation.act.remove', defaultMessage: 'Remove' }),
      onClick: ask('remove'),
      off,
      isRed: true,
    },
  ] as const;
  const suspend: Item =
    member.status === 'suspended'
      ? {
          key: 'restore',
          icon: CircleCheck,
          label: t({ id: 'organisation.act.restore', defaultMessage: 'Restore' }),
          onClick: () => restore(member),
          off,
        }
      : {
          key: 'suspend',
          icon: CircleSlash,
          label: t({ id: 'organisation.act.suspend', defaultMessage: 'Suspend' }),
          onClick: ask('suspend'),
          off,
        };
  const all = { role, groups, transfer, suspend, remove };
  return (Object.keys(all) as (keyof typeof all)[]).flatMap((key) => (may[key] && all[key] ? [all[key]] : []));
}
