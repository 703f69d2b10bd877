import type { Page } from '@parley/contracts/pages';
import { hasPermission } from '@parley/contracts/permissions';
import { useCallback } from 'react';
import { useTab } from '../lib/tab-organisation.tsx';

/** Whether a page is for this person, in the tab's organisation; the server decides again about what it shows. */
export function useMayOpen(): (page: Pick<Page, 'right'>) => boolean {
  const { role } = useTab().organisation;
  return useCallback(({ right }) => right === null || hasPermission(role, right), [role]);
}
