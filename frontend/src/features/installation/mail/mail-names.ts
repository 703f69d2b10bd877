import type { ListedMail } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

type State = ListedMail['state'];

export const shapeOf = ({ state, failure }: Pick<ListedMail, 'state' | 'failure'>): StatusKind =>
  state === 'waiting' && failure !== null
    ? 'warning'
    : ({ waiting: 'waiting', sent: 'ok', kept: 'off', failed: 'bad' } as const)[state];

export function useMailStates(): Record<State, string> {
  const { t } = useText();
  return {
    waiting: t({ id: 'installation.state.waiting', defaultMessage: 'Waiting' }),
    sent: t({ id: 'installation.state.sent', defaultMessage: 'Sent' }),
    kept: t({ id: 'installation.state.kept', defaultMessage: 'Kept here' }),
    failed: t({ id: 'installation.state.failed', defaultMessage: 'Given up' }),
  };
}

export function useMailKinds(): Record<ListedMail['kind'], string> {
  const { t } = useText();
  return {
    'password-reset': t({ id: 'installation.kind.reset', defaultMessage: 'Link for a new password' }),
    'password-changed': t({ id: 'installation.kind.changed', defaultMessage: 'Notice: password changed' }),
    'link-shown': t({ id: 'installation.kind.shown', defaultMessage: 'Notice: link shown' }),
    'name-revealed': t({ id: 'installation.kind.name', defaultMessage: 'Notice: name shown' }),
    'budget-reached': t({ id: 'installation.kind.budget', defaultMessage: 'Notice: budget at a limit' }),
    'address-proof': t({ id: 'installation.kind.proof', defaultMessage: 'Link to confirm an address' }),
    invitation: t({ id: 'installation.kind.invitation', defaultMessage: 'Invitation' }),
  };
}
