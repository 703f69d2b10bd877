import { beforeEach, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { installFakeApi, refuse } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

beforeEach(() => localStorage.clear());

it('opens the reader’s last path for a link to a deleted message, and says so', async () => {
  const gone = 'msg_00000000000000000000000099';
  installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': ({ query }) =>
      query.through === gone ? refuse('chat.message-not-found') : samplePath([sampleQuestion, sampleAnswer()]),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}#${gone}` },
  );
  expect(await screen.findByText('The certificate.')).toBeInTheDocument();
  expect(await screen.findByText(/^This message no longer exists\./)).toBeInTheDocument();
});
