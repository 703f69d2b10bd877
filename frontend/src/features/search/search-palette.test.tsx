import { describe, expect, it } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Settings, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { installFakeApi, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleConversation, sampleDocument, sampleIds, sampleMember } from '../../testing/samples.ts';
import type { Places } from './palette-options.ts';
import { SearchPalette } from './search-palette.tsx';

const hit = {
  conversationId: `cnv_${'2'.repeat(26)}` as ConversationId,
  conversationTitle: 'Leave',
  messageId: sampleIds.answer,
  role: 'assistant' as const,
  snippet: '… by the VPN desk',
  ranges: [[9, 12]] as [number, number][],
  createdAt: sampleConversation.createdAt,
};

const nowhere = { chat: () => '', message: () => '', document: null, member: null };

function show(handlers: Handlers = {}, places: Partial<Places> = {}) {
  const done: string[] = [];
  installFakeApi({
    'GET /api/chat/conversations': () => ({ items: [sampleConversation], nextCursor: null }),
    'GET /api/chat/search': () => ({ items: [hit], nextCursor: null }),
    ...handlers,
  });
  renderInOrganisation(
    <>
      <SearchPalette
        entries={[
          { key: 'new', group: 'do', label: 'New chat', icon: SquarePen, path: '/en/chat' },
          { key: 'out', group: 'do', label: 'Sign out', icon: SquarePen, run: () => done.push('signed out') },
          { key: 'set', group: 'settings', label: 'VPN settings', icon: Settings, path: '/en/settings' },
          {
            key: 'tab',
            group: 'settings',
            label: 'Budgets',
            about: 'Billing',
            icon: Settings,
            path: '/en/billing',
            isOnlyFound: true,
          },
        ]}
        places={{
          ...nowhere,
          chat: (id) => `/en/chat/${id}`,
          message: (id, message) => `/en/chat/${id}#${message}`,
          ...places,
        }}
        onClose={() => done.push('closed')}
      />
      <Where />
    </>,
    { path: '/:locale/*', at: '/en/start' },
  );
  return done;
}

function showOnDemand() {
  installFakeApi({ 'GET /api/chat/conversations': () => ({ items: [], nextCursor: null }) });
  const entries = [{ key: 'new', group: 'do' as const, label: 'New chat', icon: SquarePen, path: '/en/chat' }];
  const Opener = () => {
    const [isOpen, setOpen] = useState(false);
    return (
      <main tabIndex={-1} aria-label="the page">
        <button type="button" onClick={() => setOpen(true)}>
          before
        </button>
        {isOpen ? <SearchPalette entries={entries} places={nowhere} onClose={() => setOpen(false)} /> : null}
      </main>
    );
  };
  return renderInOrganisation(<Opener />, { path: '/:locale/*', at: '/en/start' });
}
const Where = () => <p data-testid="where">{useLocation().pathname}</p>;
const options = () => screen.getAllByRole('option').map((option) => option.textContent);

describe('the palette', () => {
  it('offers acts, the chats of late and pages as soon as it is open', async () => {
    show();
    await screen.findByRole('option', { name: /^VPN.*2026/ });
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
      'Do',
      'Chats',
      'Settings',
    ]);
    expect(options()[0]).toMatch(/^New chat/);
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(screen.getByTestId('where')).toHaveTextContent(`/en/chat/${sampleIds.conversation}`);
  });

  it('gives the focus back when nothing was chosen, and else to the page that one goes to', async () => {
    for (const [keys, name] of [
      ['{Escape}', 'before'],
      ['{Enter}', 'the page'],
    ] as const) {
      const { unmount } = showOnDemand();
      await userEvent.click(screen.getByRole('button', { name: 'before' }));
      await waitFor(() => expect(screen.getByRole('combobox')).toHaveFocus());
      await userEvent.keyboard(keys);
      await waitFor(() => expect(document.activeElement).toHaveAccessibleName(name));
      unmount();
    }
  });

  it('does an act at once', async () => {
    const done = show();
    await userEvent.type(screen.getByRole('combobox'), 'sign{Enter}');
    expect(done).toEqual(['closed', 'signed out']);
    expect(screen.getByTestId('where')).toHaveTextContent('/en/start');
  });

  it('puts titles and pages before the messages that have the words', async () => {
    show();
    await screen.findByRole('option', { name: /^VPN.*2026/ });
    await userEvent.type(screen.getByRole('combobox'), 'vpn');
    await screen.findByText('Leave');
    expect(options().map((text) => text?.replace(/Nov.*|Enter/, ''))).toEqual([
      'VPN',
      'VPN settings',
      expect.stringMatching(/^Leave/),
    ]);
  });

  it('lists a chat whose title has the words once, and not with each of its messages', async () => {
    const own = { ...hit, conversationId: sampleIds.conversation, conversationTitle: 'VPN' };
    const items = [own, { ...own, messageId: `msg_${'8'.repeat(26)}` as MessageId }, hit];
    show({ 'GET /api/chat/search': () => ({ items, nextCursor: null }) });
    await userEvent.type(screen.getByRole('combobox'), 'vpn');
    await screen.findByText('Leave');
    expect(options().map((text) => text?.replace(/Nov.*|Enter/, ''))).toEqual([
      'VPN',
      'VPN settings',
      expect.stringMatching(/^Leave/),
    ]);
  });

  it('finds a tab by its words or those of its page, and lists none without words', async () => {
    show();
    await screen.findByRole('option', { name: /^VPN.*2026/ });
    expect(screen.queryByRole('option', { name: /^Budgets/ })).toBeNull();
    await userEvent.type(screen.getByRole('combobox'), 'billing bud');
    expect(options()[0]).toMatch(/^BudgetsBilling/);
    await userEvent.keyboard('{Enter}');
    expect(screen.getByTestId('where')).toHaveTextContent('/en/billing');
  });

  it('finds documents and people where they can be opened', async () => {
    const member = sampleMember({ name: 'Tomas Brandt' });
    const asked: string[] = [];
    show(
      {
        'GET /api/chat/search': () => ({ items: [], nextCursor: null }),
        'GET /api/chat/documents': ({ query }) => {
          asked.push(`documents ${query.name}`);
          return { items: [sampleDocument], nextCursor: null, counts: { all: 1, searchable: 1, failed: 0 } };
        },
        'GET /api/org/members': ({ query }) => {
          asked.push(`members ${query.text}`);
          return { items: [member], nextCursor: null };
        },
      },
      { document: ({ id }) => `/en/documents/${id}`, member: ({ name }) => `/en/members/${name}` },
    );
    await userEvent.type(screen.getByRole('combobox'), 'tom');
    await screen.findByText('Runbook.md');
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual([
      'Documents',
      'People',
    ]);
    expect(asked).toEqual(expect.arrayContaining(['documents tom', 'members tom']));
    await userEvent.click(await screen.findByRole('option', { name: /as Brandt/ }));
    expect(screen.getByTestId('where')).toHaveTextContent('/en/members/Tomas Brandt');
  });

  it('says that there are no results', async () => {
    show({ 'GET /api/chat/search': () => ({ items: [], nextCursor: null }) });
    await userEvent.type(screen.getByRole('combobox'), 'heron');
    expect(await screen.findByText(/^No results/)).toBeInTheDocument();
  });
});
