import { defineMessages } from 'react-intl';
import type { PageTab } from '../../lib/page-tab.ts';

const names = defineMessages({
  general: { id: 'tabs.organisation.general', defaultMessage: 'General' },
  members: { id: 'tabs.organisation.members', defaultMessage: 'Members' },
  models: { id: 'tabs.organisation.models', defaultMessage: 'Models' },
  keys: { id: 'tabs.organisation.keys', defaultMessage: 'API keys' },
  webhooks: { id: 'tabs.organisation.webhooks', defaultMessage: 'Webhooks' },
  audit: { id: 'tabs.organisation.audit', defaultMessage: 'Audit log' },
  platform: { id: 'tabs.organisation.platform', defaultMessage: 'Platform' },
});

/** The tabs of an organisation's console. */
export const consoleTabs = [
  { key: 'general', right: 'org:update', name: names.general },
  { key: 'members', right: 'member:read', name: names.members },
  { key: 'models', right: 'model:configure', name: names.models },
  { key: 'keys', right: 'apikey:manage_org', name: names.keys },
  { key: 'webhooks', right: 'webhook:manage', name: names.webhooks },
  { key: 'audit', right: 'audit:read', name: names.audit },
  { key: 'platform', right: 'platform', name: names.platform },
] as const satisfies readonly PageTab[];
