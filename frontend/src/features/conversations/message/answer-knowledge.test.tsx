import { beforeEach, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ConnectionId, FileId } from '@parley/contracts';
import { sampleSite } from '../../../testing/connection-samples.ts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

beforeEach(() => localStorage.clear());

it('names the project knowledge that an answer searched, without names that its reader can’t see', async () => {
  const site = sampleSite();
  const gone = 'con_00000000000000000000000009' as ConnectionId;
  const files = [{ id: `fil_${'1'.repeat(26)}` as FileId, name: 'Cabinet drawings.pdf' }];
  const answer = sampleAnswer({ projectKnowledge: { connectionIds: [site.id, gone], files } });
  installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => ({
      ...samplePath([sampleQuestion, answer]),
      title: 'VPN',
    }),
    'GET /api/chat/connections': () => ({ items: [site] }),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Searched 3 sources of the project' }));
  const names = 'Runbooks and wiki, Unavailable data connection, and Cabinet drawings.pdf';
  expect(await screen.findByText((_text, element) => element?.textContent === ` (${names})`)).toBeTruthy();
});
