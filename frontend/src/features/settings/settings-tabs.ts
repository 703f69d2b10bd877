import { defineMessages } from 'react-intl';
import type { PageTab } from '../../lib/page-tab.ts';

const names = defineMessages({
  profile: { id: 'tabs.settings.profile', defaultMessage: 'Profile' },
  security: { id: 'tabs.settings.security', defaultMessage: 'Security' },
  sessions: { id: 'tabs.settings.sessions', defaultMessage: 'Sessions' },
  keys: { id: 'tabs.settings.keys', defaultMessage: 'API keys' },
  usage: { id: 'tabs.settings.usage', defaultMessage: 'Usage' },
  data: { id: 'tabs.settings.data', defaultMessage: 'Data' },
  archived: { id: 'tabs.settings.archived', defaultMessage: 'Archived chats' },
  deleted: { id: 'tabs.settings.deleted', defaultMessage: 'Deleted chats' },
});

/** Lists the tabs of the own settings: the first three are the same in all organisations. */
export const settingsTabs = [
  { key: 'profile', name: names.profile },
  { key: 'security', name: names.security },
  { key: 'sessions', name: names.sessions },
  { key: 'keys', right: 'apikey:manage_own', name: names.keys },
  { key: 'usage', right: 'usage:read_own', name: names.usage },
  { key: 'data', right: 'chat:read', name: names.data },
  { key: 'archived', right: 'chat:update', name: names.archived },
  { key: 'deleted', right: 'chat:delete', name: names.deleted },
] as const satisfies readonly PageTab[];
