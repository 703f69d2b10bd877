import type { Group, GroupId, Invitation, InvitationId, Member, Role } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { orgRoles, permissionsOf } from '@parley/contracts/permissions';
import { sampleIds, sampleMe } from './samples.ts';

const ulid = (n: number) => String(n).padStart(26, '0');
const at = '2026-11-20T10:41:00.000Z';
const dayMs = 24 * 3_600_000;
/** So many days from now, as a contract has it. */
export const inDays = (days: number): string => new Date(Date.now() + days * dayMs).toISOString();

export const sampleGroups: Group[] = ['Finance', 'Service desk'].map((name, n) => ({
  id: `grp_${ulid(n + 1)}` as GroupId,
  name,
  memberCount: 1,
  version: 1,
}));
export const sampleRoles: Role[] = orgRoles.map((id) => ({
  id,
  name: null,
  permissions: permissionsOf(id),
  memberCount: 1,
  version: 1,
}));
export const memberMe: Member = {
  userId: sampleIds.user,
  name: sampleMe.name,
  picture: null,
  email: sampleMe.email,
  role: 'owner',
  groupIds: [],
  status: 'active',
  reason: null,
  source: 'creator',
  joinedAt: at,
  version: 1,
};
export const memberNoor: Member = {
  ...memberMe,
  userId: `usr_${ulid(2)}` as UserId,
  name: 'Noor Halvani',
  email: 'noor.halvani@lindmoor.example',
  role: 'member',
  groupIds: [sampleGroups[1]!.id],
  source: 'invitation',
  version: 4,
};
export const sampleInvitation: Invitation = {
  id: `inv_${ulid(1)}` as InvitationId,
  kind: 'mail',
  email: 'hanne.morvik@lindmoor.example',
  label: null,
  role: 'analyst',
  groupIds: [],
  status: 'pending',
  invitedBy: { userId: sampleIds.user, name: sampleMe.name },
  domain: null,
  places: 1,
  taken: 0,
  createdAt: at,
  mail: 'sent',
  openedAt: null,
  endsAt: inDays(6),
  version: 2,
};
export const sampleLink: Invitation = {
  ...sampleInvitation,
  id: `inv_${ulid(2)}` as InvitationId,
  kind: 'link',
  email: null,
  label: 'Link for Field south',
  domain: 'lindmoor.example',
  places: 10,
  taken: 3,
  mail: null,
};
