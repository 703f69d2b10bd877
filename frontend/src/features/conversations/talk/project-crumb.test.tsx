import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { Conversation, Message, Project } from '@parley/contracts';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
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

const one = 'GET /api/chat/projects/:projectId';
type Scene = { readonly listed?: readonly Project[]; readonly read?: NonNullable<Handlers[typeof one]> };
const counts = { chats: 0, archivedChats: 0, unread: 0 };

function show(
  chat: Conversation,
  answer: Message = sampleAnswer(),
  { listed = [sampleProject], read = () => ({ ...sampleProject, ...counts }) }: Scene = {},
) {
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId': () => chat,
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([sampleQuestion, answer]),
    'GET /api/chat/projects': () => ({ items: [...listed], nextCursor: null }),
    [one]: read,
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

const given = { projectId: sampleProject.id, projectInstructions: true } as const;

it('names the project whose instructions an answer used, even if its chat has left that project', async () => {
  show(sampleConversation, sampleAnswer(given));
  expect(await screen.findByText(/Instructions of/)).toHaveTextContent(`Instructions of ${sampleProject.name}`);
});

it('names no project below an answer that was given no instructions, although the project has some now', async () => {
  show(sampleConversation, sampleAnswer({ projectId: sampleProject.id }));
  expect(await screen.findByText('The certificate.')).toBeInTheDocument();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(screen.queryByText(/Instructions of/)).toBeNull();
});

it('names an archived project, although no list on the page has it', async () => {
  show(sampleConversation, sampleAnswer(given), { listed: [] });
  expect(await screen.findByText(/Instructions of/)).toHaveTextContent(`Instructions of ${sampleProject.name}`);
});

it('says that the project of an answer was deleted', async () => {
  show(sampleConversation, sampleAnswer(given), { listed: [], read: () => refuse('chat.project-deleted') });
  expect(await screen.findByText(/Instructions of a deleted project/)).toBeInTheDocument();
});
