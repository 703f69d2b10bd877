import type { Page } from '@parley/contracts/pages';
import { allows } from '@parley/contracts/permissions';
import { useCallback } from 'react';
import { useTab } from '../lib/tab-organisation.tsx';

/** Whether a page is for this person, in the tab's organisation or as platform admin; the server decides again about what it shows. */
export function useMayOpen(): (page: Pick<Page, 'right' | 'area'>) => boolean {
  const { me, organisation } = useTab();
  const { permissions } = organisation;
  return useCallback(
    ({ right, area }) =>
      area === 'platform'
        ? me.platformRole === 'admin'
        : right === null || [right].flat().some((one) => allows({ userId: me.id, permissions }, one)),
    [me.id, me.platformRole, permissions],
  );
}
