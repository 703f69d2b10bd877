import type { ActiveUser } from '@parley/contracts';
import { Ellipsis } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { useRoles } from '../../../domain/role/use-roles.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import type { PeopleAct } from '../people-act.ts';
import { useActs } from '../use-acts.ts';

type Props = { person: ActiveUser; isMe: boolean; onAct: (act: PeopleAct) => void };

/** What may be done about one person; about oneself, nothing. */
export function ActiveUserMenu({ person, isMe, onAct }: Props) {
  const { t } = useText();
  const acts = useActs([person]);
  const stale = useActionOff();
  const isBeyond = useRoles().isBeyond(person.role);
  if (isMe || acts.length === 0) return null;
  const off =
    stale ??
    (isBeyond
      ? offBecause(t({ id: 'active.off.beyond', defaultMessage: 'This person has permissions that you don’t have' }))
      : null);
  return (
    <Menu position="bottom-end" width={230} returnFocus>
      <Menu.Target>
        <IconButton
          icon={Ellipsis}
          label={t({ id: 'active.row.actions', defaultMessage: 'Actions for {name}' }, { name: person.name })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {off ? <Menu.Label>{off.title}</Menu.Label> : null}
        {acts.map(({ kind, label, icon: Icon, isRed }) => (
          <Menu.Item
            key={kind}
            leftSection={<Icon />}
            {...(isRed && { color: 'var(--p-danger)' })}
            onClick={() => onAct({ kind, people: [person] })}
            {...off}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
