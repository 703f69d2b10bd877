import { beforeEach, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { installFakeSocket } from '../../../testing/fake-socket.ts';
import { inProject } from '../../../testing/project-samples.ts';
import { sampleProject } from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { showProject } = await import('./project-page.spec-setup.tsx');

beforeEach(() => localStorage.clear());

it('counts chats of a long project again after one was read or archived on any device', async () => {
  const chat = inProject('Cable list', 1, { unread: true });
  let counts = { chats: 62, archivedChats: 0, unread: 57 };
  showProject({
    handlers: {
      'GET /api/chat/conversations': () => ({ items: [chat], nextCursor: 'next' }),
      'GET /api/chat/projects/:projectId': () => ({ ...sampleProject, ...counts }),
    },
  });
  expect(await screen.findByText('62 chats · 57 unread')).toBeInTheDocument();
  act(() => socket.current.open());
  counts = { chats: 62, archivedChats: 1, unread: 56 };
  const message = { conversationId: chat.id, sequence: chat.sequence };
  act(() => socket.current.arrive('conversation.changed', { ...message, kind: 'read' }));
  act(() => socket.current.arrive('conversation.changed', { ...message, kind: 'marked' }));
  const archived = await screen.findByRole('link', { name: '1 archived' }, { timeout: 5_000 });
  expect(archived.closest('p')).toHaveTextContent('61 chats · 56 unread · 1 archived');
});
