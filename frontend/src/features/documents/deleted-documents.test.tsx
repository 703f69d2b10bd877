import { expect, it } from '@jest/globals';
import type { DeletedDocument } from '@parley/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { sampleUploads } from '../../testing/connection-samples.ts';
import { installFakeApi, refuse } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleDocument } from '../../testing/samples.ts';
import { DocumentsPage } from './documents-page.tsx';

const erase = 'POST /api/chat/documents/:documentId/erase';
const deleted = (n: number, name: string, isOfSource = false): DeletedDocument => ({
  id: `doc_${String(n).padStart(26, '0')}` as DeletedDocument['id'],
  name,
  bytes: 1_000,
  isOfSource,
  deletedAt: '2026-11-20T10:00:00.000Z',
  eraseAt: '2026-11-27T10:00:00.000Z',
});

function show() {
  let items = [deleted(1, 'Plan.txt'), deleted(2, 'Old.txt'), deleted(3, 'Page', true)];
  const without = (id: string) => {
    items = items.filter((item) => item.id !== id);
  };
  const counts = { all: 0, searchable: 0, failed: 0 };
  const api = installFakeApi({
    'GET /api/chat/connections': () => ({ items: [sampleUploads] }),
    'GET /api/chat/documents': () => ({ items: [], nextCursor: null, counts }),
    'GET /api/chat/deleted-documents': () => ({ items, nextCursor: null }),
    'POST /api/chat/documents/:documentId/restore': ({ params }) => {
      without(params.documentId);
      return sampleDocument;
    },
    [erase]: ({ params }) => {
      without(params.documentId);
      return refuse('chat.document-not-found'); // A repeated request: it is gone already.
    },
  });
  const at = { path: '/:locale/settings/data-connections', at: '/en/settings/data-connections' };
  renderInOrganisation(<DocumentsPage />, at);
  return api;
}
const goneButton = (name: string) => waitFor(() => expect(screen.queryByRole('button', { name })).toBeNull());

it('deleted documents are restored, unless their source brings them back, or their space is freed now', async () => {
  const { calls } = show();
  await userEvent.click(await screen.findByRole('button', { name: 'Deleted documents' }));
  expect(await screen.findByText(/Until then it counts towards the storage/)).toBeInTheDocument();
  expect(screen.getAllByText('Nov 27, 2026')).toHaveLength(3);
  expect(screen.queryByRole('button', { name: 'Restore Page' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Restore Plan.txt' }));
  await goneButton('Restore Plan.txt');
  await userEvent.click(screen.getByRole('button', { name: 'Delete permanently: Old.txt' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Old.txt” permanently?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete permanently' }));
  await goneButton('Delete permanently: Old.txt');
  expect(screen.queryByRole('dialog', { name: /permanently\?/ })).toBeNull();
  expect(screen.getByText('Page')).toBeInTheDocument();
  expect(calls.filter(({ route }) => route === erase)).toHaveLength(1);
});
