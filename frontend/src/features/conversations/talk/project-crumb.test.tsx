import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { Conversation, Message } from '@parley/contracts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  samplePath,
  sampleProject,
  sampleQuestion,
} from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

const withInstructions = { ...sampleProject, instructions: 'Name the drawing.' };

function show(chat: Conversation, answer: Message = sampleAnswer()) {
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId': () => chat,
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([sampleQuestion, answer]),
    'GET /api/chat/projects': () => ({ items: [withInstructions], nextCursor: null }),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  return api;
}

beforeEach(() => localStorage.clear());

it('links to the project of a chat before the chat’s title', async () => {
  show({ ...sampleConversation, projectId: sampleProject.id });
  expect(await screen.findByRole('link', { name: sampleProject.name })).toHaveAttribute(
    'href',
    `/en/chat?project=${sampleProject.id}`,
  );
});

it('shows no project link for a chat outside of projects', async () => {
  const { calls } = show(sampleConversation);
  await screen.findByText('The certificate.');
  await waitFor(() => expect(calls.map(({ route }) => route)).toContain('GET /api/chat/conversations/:conversationId'));
  expect(screen.queryByRole('navigation', { name: 'Project' })).toBeNull();
});

it('names the project whose instructions an answer follows, also in a chat that has left it', async () => {
  show(sampleConversation, sampleAnswer({ projectId: sampleProject.id }));
  expect(await screen.findByText(/Instructions of/)).toHaveTextContent(`Instructions of ${sampleProject.name}`);
});
