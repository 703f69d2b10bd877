import { streamRoutes } from '@parley/contracts';
import { eventually } from '@parley/testing';
import { plain, rowsFor } from './rows.spec-setup.ts';

const query = { cursor: '0', follow: 'false' };

export const streamRows = rowsFor(streamRoutes, {
  followEvents: {
    request: async ({ owner, conversationId }) => {
      await eventually(async () => {
        const response = await owner.request('GET', `/v1/events?${new URLSearchParams(query).toString()}`);
        if (!(await response.text()).includes(conversationId)) throw new Error('not yet');
      }, 'the answer should have been told');
      return { query };
    },
    lists: { ids: ({ conversationId, documentId }) => [conversationId, documentId], whose: 'organisation' },
  },
  getAsyncApi: plain,
});
