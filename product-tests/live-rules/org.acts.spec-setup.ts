import type { Member, OrganisationStatus, RoleId } from '@parley/contracts';
import { password } from '@parley/embedded/test-parley';
import { newId } from '@parley/platform/ids';
import { ParleyClient } from '@parley/testing/client';
import type { Scene } from '../matrix/scene.spec-setup.ts';
import { row, rows, type Act } from './act.spec-setup.ts';

const memberOf = async ({ world: { owner, memberId } }: Scene): Promise<Member> => {
  const { items } = await owner.call('GET /api/org/members');
  return items.find(({ userId }) => userId === memberId)!;
};
const give = async (scene: Scene, role: RoleId | 'analyst') => {
  const { userId, version } = await memberOf(scene);
  return scene.world.owner.call('PUT /api/org/members/:userId/role', { params: { userId }, body: { version, role } });
};
/** A role of the organisation's own that somebody has. */
async function aRole(scene: Scene) {
  const id = newId('role');
  const body = { id, name: id, permissions: ['org:read' as const] };
  const made = await scene.world.owner.call('POST /api/org/roles', { body });
  await give(scene, id);
  return made;
}
const putInto = async (scene: Scene, groupIds: Member['groupIds']) => {
  const { userId, version } = await memberOf(scene);
  const body = { version, groupIds: [...groupIds] };
  await scene.world.owner.call('PUT /api/org/members/:userId/groups', { params: { userId }, body });
};
/** A group with somebody in it. */
async function aGroup(scene: Scene) {
  const id = newId('group');
  const made = await scene.world.owner.call('POST /api/org/groups', { body: { id, name: id } });
  await putInto(scene, [id]);
  return made;
}
const aLink = (owner: ParleyClient) =>
  owner.call('POST /api/org/invitation-links', {
    body: { id: newId('invitation'), label: 'A link', role: 'guest', groupIds: [], domain: null, places: 3 },
  });

export const setStatus = (status: Exclude<OrganisationStatus, 'waiting'>): Act => ({
  does: `the platform admin makes the organisation ${status}`,
  prepare: async ({ people: { elsewhere }, world: { owner } }) => {
    const params = { orgId: owner.orgId! };
    const { version } = await elsewhere.call('GET /api/org/all-organisations/:orgId', { params });
    const body = { version, ...(status === 'suspended' ? { status, reason: 'Unpaid' } : { status }) };
    return () => elsewhere.call('PUT /api/org/all-organisations/:orgId/status', { params, body });
  },
});

export const orgActs = {
  'role.changed.v1': [
    row('createRole'),
    {
      does: 'changes a role that somebody has',
      prepare: async (scene) => {
        const { id: roleId, version } = await aRole(scene);
        const body = { version, name: `${roleId} now` };
        return () =>
          scene.world.owner.call('PATCH /api/org/roles/:roleId', { params: { roleId: roleId as RoleId }, body });
      },
    },
    {
      does: 'deletes a role that somebody has',
      prepare: async (scene) => {
        const params = { roleId: (await aRole(scene)).id as RoleId };
        return () =>
          scene.world.owner.call('DELETE /api/org/roles/:roleId', { params, query: { replacement: 'member' } });
      },
    },
  ],
  'group.changed.v1': [
    row('createGroup'),
    {
      does: 'renames a group with somebody in it',
      prepare: async (scene) => {
        const { id: groupId, version } = await aGroup(scene);
        const body = { version, name: `${groupId} now` };
        return () => scene.world.owner.call('PATCH /api/org/groups/:groupId', { params: { groupId }, body });
      },
    },
    {
      does: 'deletes a group with somebody in it',
      prepare: async (scene) => {
        const params = { groupId: (await aGroup(scene)).id };
        return () => scene.world.owner.call('DELETE /api/org/groups/:groupId', { params });
      },
    },
  ],
  'membership.added.v1': [
    {
      does: 'the guest joins a second organisation',
      prepare: async ({ people: { guest, otherOwner } }) => {
        const { token } = await aLink(otherOwner);
        return () => guest.call('POST /api/org/my-invitations/accept', { body: { token } });
      },
    },
  ],
  'membership.changed.v1': [
    ...rows('changeMemberRole', 'changeManyRoles'),
    {
      does: 'puts somebody into a group',
      prepare: async (scene) => {
        const id = newId('group');
        await scene.world.owner.call('POST /api/org/groups', { body: { id, name: id } });
        return () => putInto(scene, [id]);
      },
    },
    ...(['suspended', 'active'] as const).map((status) => ({
      does: `makes a member ${status}`,
      prepare: async (scene: Scene) => {
        const { userId, version } = await memberOf(scene);
        const body = { version, ...(status === 'suspended' ? { status, reason: 'Moved on' } : { status }) };
        return () => scene.world.owner.call('PUT /api/org/members/:userId/status', { params: { userId }, body });
      },
    })),
  ],
  'membership.removed.v1': rows('removeMember'),
  'invitation.mail-requested.v1': rows('invitePeople', 'resendInvitation'),
  'invitation.changed.v1': [
    ...rows('createInvitationLink', 'replaceInvitationLink', 'revokeInvitation'),
    {
      does: 'somebody joins by a link',
      prepare: async ({ people: { otherOwner }, world: { owner } }) => {
        const { token } = await aLink(owner);
        return () => otherOwner.call('POST /api/org/my-invitations/accept', { body: { token } });
      },
    },
  ],
  'org.updated.v1': [
    row('updateOrganisation'),
    {
      does: 'the platform admin changes the number of seats',
      prepare: async ({ world: { owner } }) => {
        const params = { orgId: owner.orgId! };
        const { version } = await owner.call('GET /api/org/all-organisations/:orgId', { params });
        const body = { version, seatLimit: 400 };
        return () => owner.call('PUT /api/org/all-organisations/:orgId/seat-limit', { params, body });
      },
    },
  ],
  'session.created.v1': [
    {
      does: 'signs in on another device',
      prepare: async ({ running, world: { owner } }) => {
        const device = new ParleyClient(running.url);
        return () => device.signIn(owner.me!.email, password);
      },
    },
  ],
  'session.revoked.v1': rows('endOtherSession'),
} satisfies Record<string, readonly Act[]>;
