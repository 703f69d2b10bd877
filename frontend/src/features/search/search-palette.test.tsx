import { describe, expect, it } from '@jest/globals';
import type { ConversationId, MessageId, Project } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Settings, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { installFakeApi, type Handlers } from '../../testing/fake-api.ts';
import { projectOf } from '../../testing/project-samples.ts';
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

const nowhere = { chat: () => '', project: () => '', message: () => '', document: null, member: null };

function show(handlers: Handlers = {}, places: Partial<Places> = {}, projects: readonly Project[] = []) {
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
          project: (id) => `/en/chat?project=${id}`,
          message: (id, message) => `/en/chat/${id}#${message}`,
          ...places,
        }}
        projects={projects}
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
const Where = () => <p data-testid="where">{useLocation().pathname + useLocation().search}</p>;
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

describe('operators', () => {
  const asked: string[] = [];
  const answered = (answer: object) => ({
    'GET /api/chat/search': ({ query }: { query: { q: string } }) => {
      asked.push(query.q);
      return { items: [hit], nextCursor: null, ...answer };
    },
  });
  const labels = () => options().map((text) => text?.replace(/Enter$/, ''));
  const field = () => screen.getByRole('combobox');

  it('are completed by Tab from their first letters, and by Enter with a value', async () => {
    show(answered({}));
    await userEvent.type(field(), 'vpn ha');
    await userEvent.keyboard('{Tab}');
    expect(field()).toHaveValue('vpn has:');
    expect(labels().slice(0, 2)).toEqual(['has:fileWith a file', 'has:imageWith an image']);
    await userEvent.keyboard('{ArrowDown}{Enter}');
    expect(field()).toHaveValue('vpn has:image ');
    expect(field()).toHaveFocus();
    await screen.findByText('Leave');
    expect(asked.at(-1)).toBe('vpn has:image');
  });

  it('suggest days and quoted names of projects, each name only once', async () => {
    show(answered({}), {}, [projectOf('Leave and sick days'), projectOf('Work'), projectOf('Work')]);
    await userEvent.type(field(), 'before:{Enter}');
    expect((field() as HTMLInputElement).value).toMatch(/^before:\d{4}-\d\d-\d\d $/);
    await userEvent.clear(field());
    await userEvent.type(field(), 'in:');
    expect(labels()).toEqual(['in:"Leave and sick days"In a project', 'in:WorkIn a project']);
    await userEvent.type(field(), '"leave{Enter}');
    expect(field()).toHaveValue('in:"Leave and sick days" ');
  });

  it('go to a project whose name has the words', async () => {
    const [found, other] = [projectOf('Leave and sick days'), projectOf('Work')];
    const done = show(answered({}), {}, [found, other]);
    expect(screen.queryByRole('option', { name: /sick days/ })).toBeNull();
    await userEvent.type(field(), 'sick');
    await userEvent.click(await screen.findByRole('option', { name: 'Leave and sick days' }));
    expect(done).toEqual(['closed']);
    expect(screen.getByTestId('where')).toHaveTextContent(`project=${found.id}`);
    expect(screen.queryByRole('option', { name: 'Work' })).toBeNull();
  });

  it('leave Enter to what is found while a word only begins like one', async () => {
    const done = show(answered({}));
    await userEvent.type(field(), 'bef');
    await screen.findByText('Leave');
    await userEvent.keyboard('{Enter}');
    expect(done).toEqual(['closed']);
  });

  it('leave messages only, also of a chat whose title has the words', async () => {
    const messageId = `msg_${'8'.repeat(26)}` as MessageId;
    const own = { ...hit, messageId, conversationId: sampleIds.conversation, conversationTitle: 'VPN' };
    show(answered({ items: [own, hit] }));
    await screen.findByRole('option', { name: /^VPN.*2026/ });
    await userEvent.type(field(), 'vpn from:me ');
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2));
    expect(screen.getAllByRole('group').map((group) => group.getAttribute('aria-label'))).toEqual(['Messages']);
  });

  it('lists what is found without wrong ones, and names those', async () => {
    show(
      answered({
        ignored: [
          { operator: 'has:x', reason: 'unknown-value' },
          { operator: 'in:Nowhere', reason: 'unknown-project' },
        ],
        isFilling: true,
      }),
    );
    await userEvent.type(field(), 'vpn has:x in:Nowhere ');
    expect(await screen.findByText(/was ignored\. You have no project/)).toHaveTextContent('in:Nowhere was ignored.');
    expect(screen.getByText(/Use from:me|has:image/)).toBeInTheDocument();
    expect(screen.getByText(/still preparing older messages/)).toBeInTheDocument();
    expect(screen.getByText('Leave')).toBeInTheDocument();
  });

  it('says nothing against an operator that is being typed', async () => {
    show(answered({ ignored: [{ operator: 'before:2026-1', reason: 'impossible-date' }] }));
    await userEvent.type(field(), 'vpn before:2026-1');
    await screen.findByText('Leave');
    expect(screen.queryByText(/was ignored/)).toBeNull();
    await userEvent.type(field(), ' ');
    expect(await screen.findByText(/Use a date such as/)).toBeInTheDocument();
  });

  it('a search that goes on reads on at a press, and the palette stays', async () => {
    const cursors: unknown[] = [];
    const done = show({
      'GET /api/chat/search': ({ query }) => {
        cursors.push(query.cursor);
        return query.cursor
          ? { items: [hit], nextCursor: null }
          : { items: [], nextCursor: 'further', goesOn: true as const };
      },
    });
    await userEvent.type(field(), 'vpn in:Work ');
    await userEvent.click(await screen.findByRole('option', { name: /Search older messages/ }));
    await screen.findByText('Leave');
    expect(cursors.at(-1)).toBe('further');
    expect(screen.queryByRole('option', { name: /Search older messages/ })).toBeNull();
    expect(done).toEqual([]);
  });
});
