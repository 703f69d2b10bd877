import { exportRoutes, type ExportId } from '@parley/contracts';
import { expect } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { rowsFor, type World } from './rows.spec-setup.ts';

/** One of a person is written at a time. */
const untilNoneIsWritten = ({ owner }: World): Promise<void> =>
  eventually(async () => {
    const { items } = await owner.call('GET /api/chat/exports');
    expect(items.map(({ status }) => status)).not.toContain('waiting');
    expect(items.map(({ status }) => status)).not.toContain('writing');
  }, 'no export should be written');

async function ready(world: World): Promise<ExportId> {
  const id = newId('export');
  await untilNoneIsWritten(world);
  await world.owner.call('POST /api/chat/exports', { body: { id } });
  await untilNoneIsWritten(world);
  return id;
}
const params = async (world: World) => ({ params: { exportId: await ready(world) } });

/** That which the list shows. */
let listed: ExportId | null = null;

export const exportRows = rowsFor(exportRoutes, {
  exportConversation: {
    things: 'owner',
    request: ({ conversationId }) => ({ params: { conversationId }, query: { as: 'json' } }),
  },
  createExport: {
    request: async (world) => {
      await untilNoneIsWritten(world);
      return { body: { id: newId('export') } };
    },
  },
  listExports: {
    request: async (world) => {
      listed = await ready(world);
      return {};
    },
    lists: { ids: () => (listed ? [listed] : []), whose: 'owner' },
  },
  downloadExport: { request: params, things: 'owner' },
  deleteExport: { request: params, things: 'owner', repeated: 404 },
});
