import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Conversation, ConversationId } from '@parley/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  samplePath,
  sampleQuestion,
} from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationList } = await import('./conversation-list.tsx');
const { useConversationListUpdates } = await import('../state/conversation-list-updates.ts');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('../state/pending-sends-context.tsx');

const open: Conversation = { ...sampleConversation, sequence: 2 };
const other = { ...open, id: `cnv_${'2'.repeat(26)}` as ConversationId, title: 'Meter export', sequence: 5 };
const markRoute = 'PUT /api/chat/conversations/:conversationId/read';
const answer = { id: `gen_${'2'.repeat(26)}`, answerId: `msg_${'2'.repeat(26)}` };

function Sidebar() {
  useConversationListUpdates();
  return <ConversationList />;
}

/** The sequence of the open chat on the server. */
let sequence = 2;
/** The titles on the server now. */
let titles = { sidebar: other.title, page: sampleConversation.title };

async function show(conversations: readonly Conversation[]) {
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations': () => ({ items: [...conversations], nextCursor: null }),
    'GET /api/chat/conversations/:conversationId/path': () => ({
      ...samplePath([sampleQuestion, sampleAnswer()]),
      sequence,
      title: titles.page,
    }),
    'GET /api/chat/conversations/:conversationId': ({ params }) => ({
      ...(params.conversationId === other.id ? { ...other, title: titles.sidebar } : open),
    }),
    [markRoute]: () => undefined,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <Sidebar />
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await screen.findByText('The certificate.');
  await screen.findByRole('link', { name: /Meter export/ });
  act(() => socket.current.open());
  return () => api.calls.filter(({ route }) => route === markRoute).map(({ body }) => body);
}
const hear = (message: object) => act(() => socket.current.arrive('conversation.changed', message));
const ends = (sequence: number) =>
  hear({ conversationId: other.id, sequence, kind: 'generation', generation: { ...answer, status: 'done' } });
const row = (name: string) => screen.findByRole('link', { name });

function hide(isHidden: boolean): void {
  jest.spyOn(document, 'hidden', 'get').mockReturnValue(isHidden);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

afterEach(() => {
  jest.restoreAllMocks();
});
beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
  sequence = 2;
  titles = { sidebar: other.title, page: sampleConversation.title };
  hide(false);
});

describe('a title that a model wrote after the answer', () => {
  it('is shown in the list and above the open chat, although the sequence is unchanged', async () => {
    const api = await show([open, other]);
    titles = { sidebar: 'Meter readings', page: 'Certificates' };
    hear({ conversationId: other.id, sequence: other.sequence, kind: 'renamed' });
    expect(await row('Meter readings')).toBeInTheDocument();
    hear({ conversationId: open.id, sequence, kind: 'renamed' });
    expect(await screen.findByRole('heading', { name: 'Certificates' })).toBeInTheDocument();
    expect(api()).toEqual([]);
  });
});

describe('the unread mark of a chat in the list', () => {
  it('marks a chat as unread, also in words, after an answer ended that no device has shown', async () => {
    await show([open, other]);
    await row('Meter export');
    ends(6);
    await row('Meter export Unread');
    hear({ conversationId: other.id, sequence: 5, kind: 'read' });
    await row('Meter export Unread');
    hear({ conversationId: other.id, sequence: 6, kind: 'read' });
    await row('Meter export');
  });

  it('never shows the open chat as unread, and marks it as read once', async () => {
    const marks = await show([{ ...open, unread: true }, other]);
    expect(await row('VPN')).toBeInTheDocument();
    await waitFor(() => expect(marks()).toEqual([{ sequence: 2 }]));
    ends(6);
    await row('Meter export Unread');
    expect(marks()).toEqual([{ sequence: 2 }]);
  });

  it('doesn’t mark an open chat as read before it shows the answer that the list calls unread', async () => {
    const marks = await show([{ ...open, sequence: 7, unread: true }, other]);
    // Waits longer than the end of the chat must be on screen to count as read.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(marks()).toEqual([]);
    sequence = 7;
    hear({ conversationId: open.id, sequence: 7, kind: 'message' });
    await waitFor(() => expect(marks()).toEqual([{ sequence: 7 }]));
  });

  it('doesn’t mark a chat as read if the list says that it was read', async () => {
    const marks = await show([open, { ...other, unread: true }]);
    await row('Meter export Unread');
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(marks()).toEqual([]);
  });

  it('doesn’t mark a chat as read while the tab is hidden, but when it is shown again', async () => {
    hide(true);
    const marks = await show([{ ...open, unread: true }, other]);
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(marks()).toEqual([]);
    hide(false);
    await waitFor(() => expect(marks()).toEqual([{ sequence: 2 }]));
  });
});
