import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { sampleUploads } from '../../../testing/connection-samples.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { DocumentsPage } from '../documents-page.tsx';

function show(usedBytes: number) {
  const none = { items: [], nextCursor: null, counts: { all: 0, searchable: 0, failed: 0 } };
  installFakeApi({
    'GET /api/chat/connections': () => ({ items: [sampleUploads], storage: { usedBytes, quotaBytes: 50e9 } }),
    'GET /api/chat/documents': () => none,
  });
  renderInOrganisation(<DocumentsPage />, {
    path: '/:locale/settings/data-connections',
    at: '/en/settings/data-connections',
  });
}

it('says how much of the storage quota is used', async () => {
  show(1_250_000_000);
  expect(await screen.findByText('1.3 GB of 50 GB storage used')).toBeInTheDocument();
});

it('says what to do when it is used up', async () => {
  show(50e9);
  expect(await screen.findByText(/^50 GB of 50 GB storage used\. Delete documents/)).toBeInTheDocument();
});
