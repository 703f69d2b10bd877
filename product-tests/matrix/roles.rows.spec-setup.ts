import { groupRoutes, roleRoutes } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { plain, rowsFor, type World } from './rows.spec-setup.ts';

async function aRole({ owner }: World) {
  const id = newId('role');
  return owner.call('POST /api/org/roles', { body: { id, name: id, permissions: ['org:read'] } });
}
async function aGroup({ owner }: World) {
  const id = newId('group');
  return owner.call('POST /api/org/groups', { body: { id, name: id } });
}

export const roleRows = rowsFor(roleRoutes, {
  listRoles: { ...plain, lists: null },
  createRole: {
    request: () => {
      const id = newId('role');
      return { body: { id, name: id, permissions: ['org:read'] } };
    },
  },
  updateRole: {
    things: 'organisation',
    repeated: 409,
    request: async (world) => {
      const { id, version } = await aRole(world);
      return { params: { roleId: id }, body: { version, permissions: ['chat:read'] } };
    },
  },
  deleteRole: {
    things: 'organisation',
    repeated: 404,
    request: async (world) => ({ params: { roleId: (await aRole(world)).id }, query: { replacement: 'guest' } }),
  },
});

export const groupRows = rowsFor(groupRoutes, {
  listGroups: { ...plain, lists: null },
  createGroup: {
    request: () => {
      const id = newId('group');
      return { body: { id, name: id } };
    },
  },
  renameGroup: {
    things: 'organisation',
    repeated: 409,
    request: async (world) => {
      const { id, version } = await aGroup(world);
      return { params: { groupId: id }, body: { version, name: newId('group') } };
    },
  },
  deleteGroup: {
    things: 'organisation',
    repeated: 404,
    request: async (world) => ({ params: { groupId: (await aGroup(world)).id } }),
  },
});
