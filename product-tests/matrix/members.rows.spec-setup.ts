import { auditRoutes, manyMembersRoutes, memberRoutes, type Member } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { plantMember } from '@parley/embedded/test-parley';
import { plain, rowsFor, type World } from './rows.spec-setup.ts';

const theMember = async ({ owner, memberId }: World): Promise<Member> => {
  const { items } = await owner.call('GET /api/org/members');
  return items.find(({ userId }) => userId === memberId)!;
};
const changed = async (world: World, body: Record<string, unknown>) => ({
  params: { userId: world.memberId },
  body: { version: (await theMember(world)).version, ...body },
});

export const memberRows = rowsFor(memberRoutes, {
  listMembers: { ...plain, lists: { ids: ({ memberId }) => [memberId], whose: 'organisation' } },
  getSeats: plain,
  changeMemberRole: {
    things: 'organisation',
    repeated: 409,
    request: async (world) =>
      changed(world, { role: (await theMember(world)).role === 'member' ? 'analyst' : 'member' }),
  },
  changeMemberStatus: {
    things: 'organisation',
    repeated: 409,
    request: async (world) => changed(world, { status: 'active' }),
  },
  changeMemberGroups: { things: 'organisation', request: async (world) => changed(world, { groupIds: [] }) },
  removeMember: {
    things: 'organisation',
    repeated: 404,
    request: async ({ owner, parley }) => {
      const userId = newId('user');
      await plantMember(parley, { me: { id: userId, name: 'Leaver', email: 'l@x.example' } }, owner, 'guest');
      return { params: { userId }, query: { reason: 'Contract ended' } };
    },
  },
  transferOwnership: { refused: 409, request: ({ owner }) => ({ body: { userId: owner.me?.id } }) },
  leaveOrganisation: {
    things: 'owner',
    // Whoever is not in it has left already; the owner has to stay for the other rows.
    request: () => ({ params: { orgId: newId('organisation') } }),
  },
  checkAccess: {
    things: 'organisation',
    request: ({ memberId }) => ({ params: { userId: memberId }, query: { permission: 'chat:read', thing: 'own' } }),
  },
});

const one = async (world: World, body: Record<string, unknown>) => {
  const { userId, version } = await theMember(world);
  return { body: { people: [{ userId, version }], reason: 'Moved on', isPreview: false, ...body } };
};

export const manyMembersRows = rowsFor(manyMembersRoutes, {
  changeManyRoles: { request: (world) => one(world, { role: 'member' }) },
  changeManyStatuses: { request: (world) => one(world, { status: 'active' }) },
  endManyAccesses: { request: (world) => one(world, { id: newId('accessEnd') }) },
});

export const auditRows = rowsFor(auditRoutes, {
  listAudit: {
    request: ({ owner }) => ({ query: { target: owner.orgId ?? '' } }),
    lists: { ids: ({ owner }) => [owner.orgId ?? ''], whose: 'organisation' },
  },
});
