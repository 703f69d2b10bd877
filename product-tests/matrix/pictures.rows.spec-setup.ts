import { pictureRoutes } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { rowsFor } from './rows.spec-setup.ts';

/** A PNG of one pixel. */
const file = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
);
async function uploaded(owner: ParleyClient): Promise<string> {
  const id = newId('picture');
  await owner.request('POST', `/api/auth/pictures?id=${id}`, { body: file, contentType: 'application/octet-stream' });
  return id;
}

export const pictureRows = rowsFor(pictureRoutes, {
  uploadPicture: { request: () => ({ query: { id: newId('picture') }, body: file }) },
  // Whoever is signed in and knows its id sees it.
  getPicture: { things: 'owner', request: async ({ owner }) => ({ params: { pictureId: await uploaded(owner) } }) },
});
