import { connectionRoutes, searchTestRoutes, type Connection } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { rowsFor } from './rows.spec-setup.ts';

const upload = { kind: 'upload' as const };
const everybody = { kind: 'everybody' as const };
const given = (name: string) => ({
  id: newId('connection'),
  name,
  source: upload,
  audience: everybody,
  schedule: 'manual' as const,
});
const listOf = (owner: ParleyClient): Promise<{ items: Connection[] }> => owner.call('GET /api/chat/connections', {});
/** The one of this name, as it is now: an organisation has fifty at most, so that rows share them. */
async function aConnection(owner: ParleyClient, name = 'Files'): Promise<Connection> {
  const { items } = await listOf(owner);
  return items.find((each) => each.name === name) ?? owner.call('POST /api/chat/connections', { body: given(name) });
}
const params = async (owner: ParleyClient, name?: string) => ({
  params: { connectionId: (await aConnection(owner, name)).id },
});
let listed: Connection | null = null;

export const connectionRows = rowsFor(connectionRoutes, {
  listConnections: {
    request: async ({ owner }) => {
      listed ??= await aConnection(owner);
      return {};
    },
    lists: { ids: () => [listed!.id], whose: 'organisation' },
  },
  createConnection: {
    request: async ({ owner }) => {
      for (const { id: connectionId } of (await listOf(owner)).items.filter(({ name }) => name === 'Made'))
        await owner.call('DELETE /api/chat/connections/:connectionId', { params: { connectionId } });
      return { body: given('Made') };
    },
  },
  changeConnection: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { id: connectionId, version } = await aConnection(owner, 'Changed');
      return { params: { connectionId }, body: { version, name: 'Changed' } };
    },
  },
  deleteConnection: { things: 'organisation', repeated: 404, request: ({ owner }) => params(owner, 'Deleted') },
  syncConnection: {
    things: 'organisation',
    // What is uploaded has no source.
    refused: 409,
    request: ({ owner }) => params(owner),
  },
  decideRemoval: {
    things: 'organisation',
    request: async ({ owner }) => ({ ...(await params(owner)), body: { remove: false } }),
  },
  retryConnection: { things: 'organisation', request: ({ owner }) => params(owner) },
  listConnectionUses: { things: 'organisation', lists: null, request: ({ owner }) => params(owner) },
  previewConnection: { request: () => ({ body: { source: upload } }) },
});

export const searchTestRows = rowsFor(searchTestRoutes, {
  testSearch: { request: ({ memberId }) => ({ body: { text: 'runbook', as: memberId } }) },
});
