import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import type { ConversationId } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { installFakeApi, type Handlers } from '../../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  samplePath,
  sampleQuestion,
} from '../../../../testing/samples.ts';
import { ConversationsPage } from '../../conversations-page.tsx';
import { PendingSendsProvider } from '../../state/pending-sends-context.tsx';
import { ConversationList } from '../conversation-list.tsx';

const other = { ...sampleConversation, id: `cnv_${'2'.repeat(26)}` as ConversationId, title: 'Meter export' };
const one = 'api/chat/conversations/:conversationId';
const server: Handlers = {
  'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
  'GET /api/chat/conversations': () => ({ items: [sampleConversation, other], nextCursor: null }),
  [`GET /${one}/path`]: () => ({ ...samplePath([sampleQuestion, sampleAnswer()]), title: 'VPN' }),
  [`PATCH /${one}`]: ({ body }: { body: { title: string } }) => ({ ...sampleConversation, version: 2, ...body }),
  [`DELETE /${one}`]: () => undefined,
  [`POST /${one}/restore`]: () => sampleConversation,
};

function show(permissions?: readonly Permission[]) {
  installFakeApi(server);
  renderInOrganisation(
    <PendingSendsProvider>
      <aside>
        <ConversationList />
      </aside>
      <main>
        <ConversationsPage />
      </main>
      <Where />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id?', at: `/en/chat/${sampleIds.conversation}`, ...(permissions && { permissions }) },
  );
}
const Where = () => <p data-testid="where">{useLocation().pathname}</p>;
const row = (name: string) => screen.findByRole('link', { name });
const menuOf = (title: string) => screen.findByRole('button', { name: `Actions for ${title}` });

beforeEach(() => localStorage.clear());

describe('the menu of a chat in the list, by permissions', () => {
  const ofAll = ['Rename chat', 'Pin chat', 'Move to project…', 'Archive chat', 'Select chats', 'Delete chat'];
  const offered = async (permissions: readonly Permission[]) => {
    show(permissions);
    await userEvent.hover(await row('Meter export'));
    await userEvent.click(await menuOf('Meter export'));
    await screen.findByRole('menuitem', { name: 'Select chats' });
    return screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
  };

  it.each<[Permission[], string[]]>([
    [['chat:read', 'chat:update', 'chat:delete'], ofAll],
    [['chat:read', 'chat:update'], ofAll.slice(0, -1)],
    [['chat:read', 'chat:delete'], ofAll.slice(-2)],
    [['chat:read'], ['Select chats']],
  ])('with %j has %j', async (permissions, items) => {
    expect(await offered(permissions)).toEqual(items);
  });
});

describe('the list of chats by keyboard', () => {
  it('moves from each chat to its menu, and on to the next chat', async () => {
    show();
    (await row('VPN')).focus();
    await userEvent.tab();
    expect(await menuOf('VPN')).toHaveFocus();
    await userEvent.tab();
    expect(await row('Meter export')).toHaveFocus();
    await userEvent.tab();
    expect(await menuOf('Meter export')).toHaveFocus();
    expect(screen.queryByRole('button', { name: 'Actions for VPN' })).toBeNull();
  });

  it('keeps the menu that has the focus while the pointer is over another chat', async () => {
    show();
    (await row('VPN')).focus();
    await userEvent.tab();
    await userEvent.hover(await row('Meter export'));
    expect(await menuOf('Meter export')).toBeInTheDocument();
    expect(await menuOf('VPN')).toHaveFocus();
  });

  it('returns the focus to a row after it was renamed', async () => {
    show();
    (await row('VPN')).focus();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Rename chat' }));
    const field = await screen.findByRole('textbox', { name: 'New title' });
    await waitFor(() => expect(field).toHaveFocus());
    await userEvent.keyboard('Tunnel{Enter}');
    expect(await row('Tunnel')).toHaveFocus();
  });
});

describe('the menu of the open chat', () => {
  const open = async (item: string) => {
    await screen.findByText('What changed?');
    await userEvent.click(screen.getByRole('button', { name: 'Chat actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  };

  it('shows no tooltip over the open menu', async () => {
    show();
    await screen.findByText('What changed?');
    const button = screen.getByRole('button', { name: 'Chat actions' });
    await userEvent.hover(button);
    await waitFor(() => expect(screen.getByText('Chat actions')).toBeInTheDocument());
    await userEvent.click(button);
    await screen.findByRole('menuitem', { name: 'Rename chat' });
    await userEvent.unhover(button);
    await userEvent.hover(button);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(screen.queryByText('Chat actions')).toBeNull();
  });

  it('saves the chat under the file name that the server sends', async () => {
    show();
    const saved = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const ask = globalThis.fetch;
    const asked: string[] = [];
    globalThis.fetch = (async (url: string, init: RequestInit) => {
      if (!url.includes('/export')) return ask(url, init);
      asked.push(url);
      const headers = new Map([
        ['content-disposition', `attachment; filename="VPN.md"; filename*=UTF-8''VPN%20%C3%A4.md`],
      ]);
      return { ok: true, headers, arrayBuffer: async () => new ArrayBuffer(3) };
    }) as unknown as typeof fetch;
    URL.createObjectURL = () => 'blob:saved';
    URL.revokeObjectURL = () => undefined;
    await open('Export as Markdown');
    await waitFor(() => expect(saved).toHaveBeenCalled());
    expect((saved.mock.contexts[0] as HTMLAnchorElement).download).toBe('VPN ä.md');
    // The shown path.
    const query = `as=markdown&leaf=${sampleIds.answer}`;
    expect(asked).toEqual([`/api/chat/conversations/${sampleIds.conversation}/export?${query}`]);
    saved.mockRestore();
  });

  it('copies the chat as Markdown', async () => {
    const user = userEvent.setup();
    show();
    const ask = globalThis.fetch;
    globalThis.fetch = (async (url: string, init: RequestInit) =>
      url.includes('/export?as=markdown')
        ? { ok: true, headers: new Map(), arrayBuffer: async () => new TextEncoder().encode('# VPN ä').buffer }
        : ask(url, init)) as unknown as typeof fetch;
    await user.click(await screen.findByRole('button', { name: 'Chat actions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Copy as Markdown' }));
    expect(await screen.findByText('Chat copied')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe('# VPN ä');
  });

  it('replaces the title with a field', async () => {
    show();
    await open('Rename chat');
    const heading = within(screen.getByRole('main')).getByRole('heading', { level: 1 });
    const field = within(heading).getByRole('textbox', { name: 'New title' });
    await waitFor(() => expect(field).toHaveFocus());
    await userEvent.clear(field);
    await userEvent.type(field, 'Tunnel{Enter}');
    expect(await screen.findByRole('heading', { level: 1, name: 'Tunnel' })).toBeInTheDocument();
  });

  it('deletes unsent text in the browser with the chat, and restores both', async () => {
    show();
    const field = await screen.findByRole('textbox', { name: 'Message' });
    await userEvent.type(field, 'Half a question');
    const stored = () =>
      Array.from({ length: localStorage.length }, (_, at) => localStorage.getItem(localStorage.key(at)!)).filter(
        (text) => text?.includes('Half a question'),
      );
    expect(stored()).toHaveLength(1);
    await open('Delete chat');
    await screen.findByText(/You can restore it until/);
    expect(stored()).toEqual([]);
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(stored()).toHaveLength(1));
  });

  it('links to deleted chats after the last chat', async () => {
    show();
    const link = await screen.findByRole('link', { name: 'Deleted chats' });
    expect(link).toHaveAttribute('href', expect.stringContaining('/en/settings?tab=deleted'));
  });

  it('returns to a deleted chat on Undo', async () => {
    show();
    await open('Delete chat');
    expect(screen.getByTestId('where')).toHaveTextContent(/^\/en\/chat$/);
    expect(await screen.findByText('VPN', { selector: 'bdi.p-cut' })).toBeInTheDocument();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(`/en/chat/${sampleIds.conversation}`));
  });
});
