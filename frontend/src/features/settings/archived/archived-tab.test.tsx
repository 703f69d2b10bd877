import { expect, it } from '@jest/globals';
import type { Conversation, ConversationId } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleConversation } from '../../../testing/samples.ts';
import { SettingsPage } from '../settings-page.tsx';

const list = 'GET /api/chat/conversations';
const mark = 'PUT /api/chat/conversation-marks';
const archived = (n: number, title: string): Conversation => ({
  ...sampleConversation,
  id: `cnv_${String(n).padStart(26, '0')}` as ConversationId,
  title,
  archived: true,
});

function show(handlers: Handlers = {}) {
  const all = [archived(1, 'Leave'), archived(2, 'VPN')];
  const away = new Set(all.map(({ id }) => id));
  const api = installFakeApi({
    [list]: ({ query }) => ({
      items:
        query.only === 'archived'
          ? all.filter(({ id }) => away.has(id))
          : [{ ...sampleConversation, title: 'Not archived' }],
      nextCursor: null,
    }),
    [mark]: ({ body }) => {
      for (const id of body.conversationIds)
        if (body.archived) away.add(id);
        else away.delete(id);
      return { results: body.conversationIds.map((conversationId) => ({ conversationId, code: null })) };
    },
    ...handlers,
  });
  renderInOrganisation(<SettingsPage />, { path: '/:locale/settings', at: '/en/settings?tab=archived' });
  return api;
}

it('lists what is archived only, with a way to open it', async () => {
  show();
  expect(await screen.findByRole('link', { name: 'Leave' })).toHaveAttribute('href', `/en/chat/${archived(1, '').id}`);
  expect(screen.queryByText('Not archived')).toBeNull();
});

it('takes one out of the archive, and puts it back', async () => {
  show();
  await userEvent.click(await screen.findByRole('button', { name: 'Unarchive Leave' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Leave' })).toBeNull());
  expect(screen.getByRole('link', { name: 'VPN' })).toBeInTheDocument();
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await screen.findByRole('link', { name: 'Leave' })).toBeInTheDocument();
});

it('keeps one that could not be taken out, and says why', async () => {
  show({ [mark]: () => refuse('platform.unavailable') });
  await userEvent.click(await screen.findByRole('button', { name: 'Unarchive Leave' }));
  expect(await screen.findByText(/not available|try again/i)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Leave' })).toBeInTheDocument();
});

it('says what the archive is for while it is empty', async () => {
  show({ [list]: () => ({ items: [], nextCursor: null }) });
  expect(await screen.findByText('No archived chats')).toBeInTheDocument();
  expect(screen.getByText(/A new question brings a chat back/)).toBeInTheDocument();
});
