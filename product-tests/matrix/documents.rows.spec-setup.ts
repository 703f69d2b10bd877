import { documentRoutes, openedDocumentRoutes } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { rowsFor } from './rows.spec-setup.ts';

export const documentRows = rowsFor(documentRoutes, {
  listDocuments: {
    request: () => ({ query: { limit: '100' } }),
    lists: { ids: ({ documentId }) => [documentId], whose: 'organisation' },
  },
  uploadDocument: {
    request: () => ({ query: { id: newId('document'), name: 'row.md' }, body: '# Row\n\nText of the row.' }),
  },
  replaceDocument: {
    request: async ({ owner }) => ({
      params: { documentId: (await owner.upload('old.md', 'old')).id },
      query: { name: 'row.md' },
      body: '# Row\n\nNewer text.',
    }),
    things: 'organisation',
  },
  deleteDocument: {
    request: async ({ owner }) => ({ params: { documentId: (await owner.upload('gone.md', 'gone')).id } }),
    things: 'organisation',
  },
  restoreDocument: { request: ({ documentId }) => ({ params: { documentId } }), things: 'organisation' },
  retryDocument: { request: ({ documentId }) => ({ params: { documentId } }), things: 'organisation' },
});

export const openedDocumentRows = rowsFor(openedDocumentRoutes, {
  openDocument: { request: ({ documentId }) => ({ params: { documentId } }), things: 'organisation' },
  readDocumentText: {
    request: ({ documentId, chunkId }) => ({ params: { documentId }, query: { chunkId, limit: '10' } }),
    things: 'organisation',
  },
  downloadDocument: { request: ({ documentId }) => ({ params: { documentId } }), things: 'organisation' },
});
