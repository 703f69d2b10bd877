import type { ActiveUser } from '@parley/contracts';
import { CircleCheck, CircleSlash, LogOut, Shield, type LucideIcon } from 'lucide-react';
import { useRight } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';
import type { PeopleAct } from './people-act.ts';

type Offered = {
  readonly kind: PeopleAct['kind'];
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isRed?: true;
};

/** What one's own rights let one do about these people. */
export function useActs(people: readonly ActiveUser[]): readonly Offered[] {
  const { t } = useText();
  const mayRole = useRight('member:update_role');
  const mayEnd = useRight('session:revoke_org');
  const maySuspend = useRight('member:suspend');
  const hasActive = people.some(({ status }) => status === 'active');
  const hasSuspended = people.some(({ status }) => status === 'suspended');
  const acts: (Offered & { readonly may: boolean })[] = [
    { kind: 'role', may: mayRole, icon: Shield, label: t({ id: 'active.act.role', defaultMessage: 'Change role' }) },
    {
      kind: 'end',
      may: mayEnd && hasActive,
      icon: LogOut,
      label: t({ id: 'active.act.end', defaultMessage: 'End access now' }),
    },
    {
      kind: 'restore',
      may: maySuspend && hasSuspended,
      icon: CircleCheck,
      label: t({ id: 'active.act.restore', defaultMessage: 'Restore' }),
    },
    {
      kind: 'suspend',
      may: maySuspend && hasActive,
      icon: CircleSlash,
      label: t({ id: 'active.act.suspend', defaultMessage: 'Suspend' }),
      isRed: true,
    },
  ];
  return acts.filter(({ may }) => may);
}
