import { ownPermissions, type Permission } from '@parley/contracts/permissions';
import { useCallback, useMemo } from 'react';
import { defineMessages } from 'react-intl';
import { useText } from '../../lib/text.ts';

const areas = defineMessages({
  chat: { id: 'permissions.area.chat', defaultMessage: 'Chat' },
  models: { id: 'permissions.area.models', defaultMessage: 'Models' },
  data: { id: 'permissions.area.data', defaultMessage: 'Data' },
  members: { id: 'permissions.area.members', defaultMessage: 'Members' },
  roles: { id: 'permissions.area.roles', defaultMessage: 'Roles and groups' },
  organisation: { id: 'permissions.area.organisation', defaultMessage: 'Organisation' },
  monitoring: { id: 'permissions.area.monitoring', defaultMessage: 'Monitoring' },
  billing: { id: 'permissions.area.billing', defaultMessage: 'Billing' },
});
type AreaKey = keyof typeof areas;

const names = defineMessages({
  'chat:create': { id: 'permissions.name.chatCreate', defaultMessage: 'Start a chat' },
  'chat:read': { id: 'permissions.name.chatRead', defaultMessage: 'Read chats' },
  'chat:update': { id: 'permissions.name.chatUpdate', defaultMessage: 'Rename chats, stop answers' },
  'chat:delete': { id: 'permissions.name.chatDelete', defaultMessage: 'Delete chats' },
  'model:use': { id: 'permissions.name.modelUse', defaultMessage: 'Ask models' },
  'model:configure': { id: 'permissions.name.modelConfigure', defaultMessage: 'Connect model servers' },
  'chatbot:manage': { id: 'permissions.name.chatbotManage', defaultMessage: 'Make and try chatbots' },
  'chatbot:publish': { id: 'permissions.name.chatbotPublish', defaultMessage: 'Publish and delete chatbots' },
  'feedback:read': { id: 'permissions.name.feedbackRead', defaultMessage: 'Read feedback, with what is sent along' },
  'feedback:manage': {
    id: 'permissions.name.feedbackManage',
    defaultMessage: 'Work on feedback, write curated answers',
  },
  'data_connection:read': { id: 'permissions.name.dataRead', defaultMessage: 'See documents' },
  'data_connection:manage': { id: 'permissions.name.dataManage', defaultMessage: 'Upload and delete documents' },
  'member:read': { id: 'permissions.name.memberRead', defaultMessage: 'See who is a member' },
  'member:read_pii': { id: 'permissions.name.memberReadPii', defaultMessage: 'See email addresses and who is active' },
  'member:invite': { id: 'permissions.name.memberInvite', defaultMessage: 'Invite people' },
  'invite_link:manage': { id: 'permissions.name.inviteLink', defaultMessage: 'Make invitation links' },
  'member:update_role': { id: 'permissions.name.memberRole', defaultMessage: 'Change people’s roles' },
  'member:suspend': { id: 'permissions.name.memberSuspend', defaultMessage: 'Suspend and restore people' },
  'member:remove': { id: 'permissions.name.memberRemove', defaultMessage: 'Remove people' },
  'session:revoke_org': { id: 'permissions.name.sessionRevoke', defaultMessage: 'End people’s access now' },
  'role:read': { id: 'permissions.name.roleRead', defaultMessage: 'See roles, check access' },
  'role:create': { id: 'permissions.name.roleCreate', defaultMessage: 'Add roles' },
  'role:update': { id: 'permissions.name.roleUpdate', defaultMessage: 'Change roles' },
  'role:delete': { id: 'permissions.name.roleDelete', defaultMessage: 'Delete roles' },
  'group:read': { id: 'permissions.name.groupRead', defaultMessage: 'See groups' },
  'group:manage': { id: 'permissions.name.groupManage', defaultMessage: 'Change groups' },
  'apikey:manage_own': { id: 'permissions.name.apiKeyOwn', defaultMessage: 'Make API keys of one’s own' },
  'apikey:manage_org': { id: 'permissions.name.apiKeyOrg', defaultMessage: 'See and revoke everybody’s API keys' },
  'org:update': { id: 'permissions.name.orgUpdate', defaultMessage: 'Change organisation settings' },
  'org:transfer': { id: 'permissions.name.orgTransfer', defaultMessage: 'Hand over ownership' },
  'audit:read': { id: 'permissions.name.auditRead', defaultMessage: 'Read the audit log' },
  'monitoring:read_org': { id: 'permissions.name.monitoringRead', defaultMessage: 'See what is used and what runs' },
  'generation:stop_any': { id: 'permissions.name.stopAny', defaultMessage: 'Stop anybody’s answers' },
  'events:read': { id: 'permissions.name.eventsRead', defaultMessage: 'Follow events by a program' },
  'webhook:manage': { id: 'permissions.name.webhookManage', defaultMessage: 'Manage webhooks' },
  'usage:read_own': { id: 'permissions.name.usageOwn', defaultMessage: 'See one’s own usage' },
  'usage:read_org': { id: 'permissions.name.usageOrg', defaultMessage: 'See what people use, by pseudonym' },
  'usage:read_person': { id: 'permissions.name.usagePerson', defaultMessage: 'Ask for names in user monitoring' },
  'billing:read': { id: 'permissions.name.billingRead', defaultMessage: 'See usage and costs' },
  'billing:manage': { id: 'permissions.name.billingManage', defaultMessage: 'Order seats' },
  'budget:read': { id: 'permissions.name.budgetRead', defaultMessage: 'See budgets' },
  'budget:manage': { id: 'permissions.name.budgetManage', defaultMessage: 'Set budgets' },
});

/** The rights that something asks for: nothing asks for `org:read` yet, so it stands nowhere. */
export type ShownPermission = Exclude<Permission, 'org:read'>;

const areaOf: Record<ShownPermission, AreaKey> = {
  'chat:create': 'chat',
  'chat:read': 'chat',
  'chat:update': 'chat',
  'chat:delete': 'chat',
  'model:use': 'models',
  'model:configure': 'models',
  'chatbot:manage': 'models',
  'chatbot:publish': 'models',
  'feedback:read': 'models',
  'feedback:manage': 'models',
  'data_connection:read': 'data',
  'data_connection:manage': 'data',
  'member:read': 'members',
  'member:read_pii': 'members',
  'member:invite': 'members',
  'invite_link:manage': 'members',
  'member:update_role': 'members',
  'member:suspend': 'members',
  'member:remove': 'members',
  'session:revoke_org': 'members',
  'role:read': 'roles',
  'role:create': 'roles',
  'role:update': 'roles',
  'role:delete': 'roles',
  'group:read': 'roles',
  'group:manage': 'roles',
  'apikey:manage_own': 'organisation',
  'apikey:manage_org': 'organisation',
  'org:update': 'organisation',
  'org:transfer': 'organisation',
  'audit:read': 'organisation',
  'monitoring:read_org': 'monitoring',
  'generation:stop_any': 'monitoring',
  'events:read': 'monitoring',
  'webhook:manage': 'monitoring',
  'usage:read_org': 'monitoring',
  'usage:read_person': 'monitoring',
  'usage:read_own': 'billing',
  'billing:read': 'billing',
  'billing:manage': 'billing',
  'budget:read': 'billing',
  'budget:manage': 'billing',
};

const shown = Object.keys(areaOf) as ShownPermission[];
const ofOwnThings: readonly Permission[] = ownPermissions;

/** Gives something over one's own things only. */
export const isOwnOnly = (permission: Permission): boolean => ofOwnThings.includes(permission);

export type Area = { readonly key: AreaKey; readonly label: string; readonly permissions: readonly ShownPermission[] };

/** What a right is called. */
export function usePermissionNames(): (permission: Permission) => string {
  const { t } = useText();
  return useCallback((permission) => (permission === 'org:read' ? permission : t(names[permission])), [t]);
}

/** Every right in words, by area, in the order of the matrix. */
export function useCatalogue() {
  const { t } = useText();
  const nameOf = usePermissionNames();
  return useMemo(() => {
    const byArea = (Object.keys(areas) as AreaKey[]).map((key): Area => ({
      key,
      label: t(areas[key]),
      permissions: shown.filter((one) => areaOf[one] === key),
    }));
    return { areas: byArea, nameOf };
  }, [t, nameOf]);
}
