import { projectFileRoutes, projectRoutes, type FileId, type ProjectId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { rowsFor, type World } from './rows.spec-setup.ts';

const aProject = async (owner: ParleyClient): Promise<ProjectId> =>
  (await owner.call('POST /api/chat/projects', { body: { id: newId('project'), name: 'Substation 14 refit' } })).id;
/** A project, and a file that it doesn't have. */
async function aProjectAndFile({ owner }: World): Promise<{ projectId: ProjectId; fileId: FileId }> {
  const fileId = newId('file');
  await owner.attach(fileId, 'drawing.md', '# Cabinet drawings\n\nRevision C.');
  return { projectId: await aProject(owner), fileId };
}
async function aProjectWithFile(world: World): Promise<{ projectId: ProjectId; fileId: FileId }> {
  const params = await aProjectAndFile(world);
  await world.owner.call('PUT /api/chat/projects/:projectId/files/:fileId', { params });
  return params;
}
/** The one that lists show. */
let listed: ProjectId | null = null;

export const projectRows = rowsFor(projectRoutes, {
  listProjects: {
    request: async ({ owner }) => {
      listed ??= await aProject(owner);
      return {};
    },
    lists: { ids: () => [listed!], whose: 'owner' },
  },
  getProject: { things: 'owner', request: async ({ owner }) => ({ params: { projectId: await aProject(owner) } }) },
  createProject: { request: () => ({ body: { id: newId('project'), name: 'Storm season' } }) },
  updateProject: {
    things: 'owner',
    repeated: 409,
    request: async ({ owner }) => ({
      params: { projectId: await aProject(owner) },
      body: { revision: 1, instructions: 'Name the drawing.' },
    }),
  },
  deleteProject: { things: 'owner', request: async ({ owner }) => ({ params: { projectId: await aProject(owner) } }) },
  restoreProject: {
    things: 'owner',
    request: async ({ owner }) => {
      const params = { projectId: await aProject(owner) };
      await owner.call('DELETE /api/chat/projects/:projectId', { params });
      return { params };
    },
  },
  moveConversations: {
    request: async ({ owner, conversationId }) => ({
      body: { conversationIds: [conversationId], projectId: await aProject(owner) },
    }),
  },
});

/** Names the project that has a file in its list. */
let withFile: Awaited<ReturnType<typeof aProjectWithFile>> | null = null;

export const projectFileRows = rowsFor(projectFileRoutes, {
  listProjectFiles: {
    things: 'owner',
    request: async (world) => {
      withFile ??= await aProjectWithFile(world);
      return { params: { projectId: withFile.projectId } };
    },
    lists: { ids: () => [withFile!.fileId], whose: 'owner' },
  },
  addProjectFile: { things: 'owner', request: async (world) => ({ params: await aProjectAndFile(world) }) },
  removeProjectFile: { things: 'owner', request: async (world) => ({ params: await aProjectWithFile(world) }) },
});
