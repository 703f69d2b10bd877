import type { Approval, OrganisationStatus } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

/** How an organisation stands, in words. */
export function useStatusNames(): Record<OrganisationStatus, string> {
  const { t } = useText();
  return {
    active: t({ id: 'installation.status.active', defaultMessage: 'Active' }),
    suspended: t({ id: 'installation.status.suspended', defaultMessage: 'Suspended' }),
    waiting: t({ id: 'installation.status.waiting', defaultMessage: 'Waits for its owner' }),
  };
}

/** Names the states of an organisation that isn't approved. */
export function useApprovalNames(): Record<Exclude<Approval, 'approved'>, string> {
  const { t } = useText();
  return {
    requested: t({ id: 'installation.approval.requested', defaultMessage: 'Asks for approval' }),
    none: t({ id: 'installation.approval.none', defaultMessage: 'Not approved' }),
  };
}

export const statusShapes: Record<OrganisationStatus, StatusKind> = {
  active: 'ok',
  suspended: 'off',
  waiting: 'waiting',
};
