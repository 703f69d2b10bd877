import { fileRoutes, type FileId } from '@parley/contracts';
import { expect } from '@jest/globals';
import { derivedId, newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { rowsFor, type World } from './rows.spec-setup.ts';

async function uploaded({ owner }: World): Promise<FileId> {
  const id = newId('file');
  await owner.attach(id, 'attached.md', '# Attached\n\nText of the file.');
  return id;
}
/** That which the list shows. */
let listed: FileId | null = null;

/** A PNG of four pixels. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWM4w8BwhgGMzzAwAAAZjgMx8FJdJAAAAABJRU5ErkJggg==';

async function read({ owner }: World, fileId: FileId): Promise<FileId> {
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/files', { query: { ids: fileId } });
    expect(items[0]?.status).toBe('ready');
  }, 'the file should be read');
  return fileId;
}

async function image(world: World) {
  const fileId = newId('file');
  await world.owner.attach(fileId, 'attached.png', Buffer.from(png, 'base64'));
  return { params: { fileId: await read(world, fileId) } };
}

async function cited(world: World) {
  const fileId = await read(world, await uploaded(world));
  return { params: { fileId, chunkId: derivedId('chunk', ['file', fileId, 0]) } };
}

export const fileRows = rowsFor(fileRoutes, {
  uploadFile: { request: () => ({ query: { id: newId('file'), name: 'row.md' }, body: '# Row\n\nText of the row.' }) },
  listFiles: {
    request: async (world) => {
      listed ??= await uploaded(world);
      return { query: { ids: listed } };
    },
    lists: { ids: () => (listed ? [listed] : []), whose: 'owner' },
  },
  retryFile: { request: async (world) => ({ params: { fileId: await uploaded(world) } }), things: 'owner' },
  downloadFile: { request: async (world) => ({ params: { fileId: await uploaded(world) } }), things: 'owner' },
  openFile: { request: async (world) => ({ params: { fileId: await uploaded(world) } }), things: 'owner' },
  readFileText: { request: async (world) => ({ params: { fileId: await uploaded(world) } }), things: 'owner' },
  getFileImage: { request: image, things: 'owner' },
  getFilePassage: { request: cited, things: 'owner' },
});
