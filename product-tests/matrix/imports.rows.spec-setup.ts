import { importRoutes, type ImportId } from '@parley/contracts';
import { expect } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { rowsFor, type World } from './rows.spec-setup.ts';

/** One chat of ChatGPT, in its oldest form. */
const exported = JSON.stringify([
  {
    title: 'Herons',
    conversation_id: 'herons',
    create_time: 1_700_000_000,
    update_time: 1_700_000_100,
    current_node: 'answer',
    mapping: {
      root: { id: 'root', message: null, parent: null, children: ['question'] },
      question: {
        id: 'question',
        parent: 'root',
        children: ['answer'],
        message: {
          id: 'question',
          author: { role: 'user' },
          create_time: 1_700_000_000,
          content: { content_type: 'text', parts: ['When do herons come?'] },
        },
      },
      answer: {
        id: 'answer',
        parent: 'question',
        children: [],
        message: {
          id: 'answer',
          author: { role: 'assistant' },
          create_time: 1_700_000_100,
          content: { content_type: 'text', parts: ['In March.'] },
        },
      },
    },
  },
]);
const bytes = Buffer.byteLength(exported);
const files = [{ name: 'conversations.json', bytes }];

/** Deletes earlier imports first, because a quota limits those of a person. */
async function begun({ owner }: World): Promise<ImportId> {
  await makeRoom(owner);
  const id = newId('import');
  await owner.call('POST /api/chat/imports', { body: { id, files } });
  return id;
}

/** The newest one stays: another request may name it. */
async function makeRoom(owner: World['owner']): Promise<void> {
  const { items } = await owner.call('GET /api/chat/imports', { query: {} });
  for (const { id } of items.filter(({ expiresAt }) => expiresAt !== null).slice(1))
    await owner.call('DELETE /api/chat/imports/:importId', { params: { importId: id } });
}

async function uploaded(world: World): Promise<ImportId> {
  const importId = await begun(world);
  await world.owner.sendImportPart({ importId, number: 1, part: 1 }, exported);
  return importId;
}

async function checked(world: World): Promise<ImportId> {
  const importId = await uploaded(world);
  const params = { importId };
  await world.owner.call('POST /api/chat/imports/:importId/check', { params });
  await eventually(async () => {
    const found = await world.owner.call('GET /api/chat/imports/:importId', { params });
    expect(found.status).toBe('checked');
  }, 'the upload should be checked');
  return importId;
}

const on = (made: (world: World) => Promise<ImportId>) => async (world: World) => ({
  params: { importId: await made(world) },
});

async function paused(world: World): Promise<ImportId> {
  const importId = await checked(world);
  await world.owner.call('POST /api/chat/imports/:importId/start', { params: { importId }, body: { again: false } });
  await world.owner.call('POST /api/chat/imports/:importId/pause', { params: { importId } });
  return importId;
}

async function stopped(world: World): Promise<ImportId> {
  const importId = await begun(world);
  await world.owner.call('POST /api/chat/imports/:importId/stop', { params: { importId } });
  return importId;
}

let listed: ImportId | null = null;

export const importRows = rowsFor(importRoutes, {
  createImport: {
    request: async ({ owner }) => {
      await makeRoom(owner);
      return { body: { id: newId('import'), files } };
    },
  },
  uploadImportPart: {
    request: async (world) => ({ params: { importId: await begun(world), number: '1', part: '1' }, body: exported }),
    things: 'owner',
  },
  listImports: {
    request: async (world) => {
      listed = await begun(world);
      return {};
    },
    lists: { ids: () => (listed ? [listed] : []), whose: 'owner' },
  },
  getImport: { request: on(begun), things: 'owner' },
  listImportLosses: { request: on(begun), things: 'owner', lists: null },
  checkImport: { request: on(uploaded), things: 'owner' },
  startImport: {
    request: async (world) => ({ params: { importId: await checked(world) }, body: { again: false } }),
    things: 'owner',
  },
  pauseImport: { request: on(paused), things: 'owner' },
  resumeImport: { request: on(paused), things: 'owner' },
  deleteImportedChats: { request: on(stopped), things: 'owner' },
  restoreImportedChats: { request: on(stopped), things: 'owner' },
  stopImport: { request: on(begun), things: 'owner' },
  deleteImport: { request: on(begun), things: 'owner', repeated: 404 },
});
