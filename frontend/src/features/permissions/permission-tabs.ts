import { defineMessages } from 'react-intl';
import type { PageTab } from '../../lib/page-tab.ts';

const names = defineMessages({
  roles: { id: 'tabs.permissions.roles', defaultMessage: 'Roles' },
  groups: { id: 'tabs.permissions.groups', defaultMessage: 'Groups' },
});

/** The tabs of Permissions. */
export const permissionTabs = [
  { key: 'roles', name: names.roles },
  { key: 'groups', right: 'group:read', name: names.groups },
] as const satisfies readonly PageTab[];
