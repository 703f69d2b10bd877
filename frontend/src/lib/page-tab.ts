import type { Permission } from '@parley/contracts';
import { allows } from '@parley/contracts/permissions';
import type { MessageDescriptor } from 'react-intl';
import { useTab } from './tab-organisation.tsx';

/** A tab of a page: for the page itself, and for the search, which leads to it. */
export type PageTab<Key extends string = string> = {
  /** In the address, as `?tab=`. */
  readonly key: Key;
  /** People without it don't see the tab; `platform` is for platform admins, also while the organisation is suspended. Absent: everyone sees it. */
  readonly right?: Permission | 'platform';
  readonly name: MessageDescriptor;
};

/** Returns a filter for the tabs that the person can open in the organisation of the browser's tab. */
export function useMaySeeTab(): (tab: PageTab) => boolean {
  const { me, organisation } = useTab();
  const holder = organisation.suspension ? null : { userId: me.id, permissions: organisation.permissions };
  return ({ right }) =>
    right === undefined || (right === 'platform' ? me.platformRole === 'admin' : allows(holder, right));
}
