import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Conversation, ConversationId } from '@parley/contracts';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleConversation } from '../../../testing/samples.ts';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';
import { ConversationList } from './conversation-list.tsx';

const vpn: Conversation = { ...sampleConversation, title: 'VPN' };
const meter = {
  ...sampleConversation,
  id: `cnv_${'2'.repeat(26)}` as ConversationId,
  title: 'Meter export',
  lastActivityAt: '2026-01-01T00:00:00.000Z',
};
const mark = 'PUT /api/chat/conversation-marks';

function show(handlers: Handlers = {}, [one, other]: [Conversation, Conversation] = [vpn, meter]) {
  const all = [one, other];
  const api = installFakeApi({
    'GET /api/chat/conversations': ({ query }) => ({
      items: all.filter(({ pinned }) => query.only !== 'pinned' || pinned),
      nextCursor: null,
    }),
    [mark]: ({ body }) => ({ results: body.conversationIds.map((conversationId) => ({ conversationId, code: null })) }),
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationList />
    </PendingSendsProvider>,
    { path: '/:locale/chat', at: '/en/chat' },
  );
  return api;
}
async function act(title: string, item: string): Promise<void> {
  await userEvent.hover(await screen.findByRole('link', { name: title }));
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${title}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
}
const pinned = () => {
  const section = screen.queryByRole('heading', { name: 'Pinned' })?.closest('section');
  return section
    ? within(section)
        .getAllByRole('link')
        .map((link) => link.textContent)
    : [];
};
const titles = () => screen.getAllByRole('link', { name: /VPN|Meter/ }).map((link) => link.textContent);
const sent = ({ calls }: ReturnType<typeof show>) =>
  calls.filter(({ route }) => route === mark).map(({ body }) => body);

beforeEach(() => localStorage.clear());

describe('marks of a chat in the list', () => {
  it('pins a chat on top, once, and unpins it', async () => {
    const api = show();
    await act('Meter export', 'Pin chat');
    await waitFor(() => expect(pinned()).toEqual(['Meter export']));
    expect(titles()).toEqual(['Meter export', 'VPN']);
    await act('Meter export', 'Unpin chat');
    await waitFor(() => expect(pinned()).toEqual([]));
    const conversationIds = [meter.id];
    expect(sent(api)).toEqual([
      { conversationIds, pinned: true },
      { conversationIds, pinned: false },
    ]);
  });

  it('removes an archived chat from the list, and Undo restores it with its pin', async () => {
    const api = show({}, [{ ...vpn, pinned: true }, meter]);
    await waitFor(() => expect(pinned()).toEqual(['VPN']));
    await act('VPN', 'Archive chat');
    await waitFor(() => expect(titles()).toEqual(['Meter export']));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(pinned()).toEqual(['VPN']));
    const conversationIds = [vpn.id];
    expect(sent(api)).toEqual([
      { conversationIds, archived: true },
      { conversationIds, pinned: true },
    ]);
  });

  it('keeps a chat in the list if archiving is refused, and says why', async () => {
    show({ [mark]: () => refuse('platform.unavailable') });
    await act('VPN', 'Archive chat');
    expect(await screen.findByText(/try again/i)).toBeInTheDocument();
    expect(titles()).toEqual(['VPN', 'Meter export']);
  });

  it('removes a chat that was deleted on another device from the list', async () => {
    show({ [mark]: () => ({ results: [{ conversationId: vpn.id, code: 'chat.conversation-not-found' }] }) });
    await act('VPN', 'Pin chat');
    await waitFor(() => expect(titles()).toEqual(['Meter export']));
    expect(screen.getByText(/was deleted, or belongs/)).toBeInTheDocument();
  });
});
