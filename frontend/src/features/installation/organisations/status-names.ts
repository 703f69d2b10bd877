import type { OrganisationStatus } from '@parley/contracts';
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

export const statusShapes: Record<OrganisationStatus, StatusKind> = {
  active: 'ok',
  suspended: 'off',
  waiting: 'waiting',
};
