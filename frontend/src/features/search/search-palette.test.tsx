import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Settings, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleConversation, sampleIds } from '../../testing/samples.ts';
import { SearchPalette } from './search-palette.tsx';

const hit = {
  conversationId: sampleIds.conversation,
  conversationTitle: 'Leave',
  messageId: sampleIds.answer,
  role: 'assistant' as const,
  snippet: '… by the VPN desk',
  ranges: [[9, 12]] as [number, number][],
  createdAt: sampleConversation.createdAt,
};

function show() {
  const done: string[] = [];
  installFakeApi({
    'GET /api/chat/conversations': () => ({ items: [sampleConversation], nextCursor: null }),
    'GET /api/chat/search': () => ({ items: [hit], nextCursor: null }),
  });
  renderInOrganisation(
    <>
      <SearchPalette
        entries={[
          { key: 'new', group: 'do', label: 'New chat', icon: SquarePen, path: '/en/chat' },
          { key: 'out', group: 'do', label: 'Sign out', icon: SquarePen, run: () => done.push('signed out') },
          { key: 'set', group: 'settings', label: 'VPN settings', icon: Settings, path: '/en/settings' },
        ]}
        pathOfChat={(id) => `/en/chat/${id}`}
        pathOfMessage={(id, message) => `/en/chat/${id}#${message}`}
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
    const places = { pathOfChat: () => '', pathOfMessage: () => '' };
    return (
      <main tabIndex={-1} aria-label="the page">
        <button type="button" onClick={() => setOpen(true)}>
          before
        </button>
        {isOpen ? <SearchPalette entries={entries} {...places} onClose={() => setOpen(false)} /> : null}
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
});
