import { beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ModelKey } from '@parley/contracts';
import { sampleBot } from '../../../testing/chatbot-samples.ts';
import { refuse } from '../../../testing/fake-api.ts';
import { inProject, projectOf } from '../../../testing/project-samples.ts';
import { sampleModel, sampleProject } from '../../../testing/samples.ts';
import { choose, click, showProject } from './project-page.spec-setup.tsx';

const otherModel = {
  ...sampleModel,
  key: 'prv_00000000000000000000000001/qwen3' as ModelKey,
  label: 'Qwen3 30B',
  isDefault: false,
};
const other = projectOf('Storm season');
const move = 'PUT /api/chat/conversation-projects';

const show = ({ handlers, ...scene }: Parameters<typeof showProject>[0] = {}) =>
  showProject({
    others: [other],
    handlers: {
      [move]: ({ body }) => ({
        results: body.conversationIds.map((conversationId) => ({ conversationId, code: null })),
      }),
      ...handlers,
    },
    ...scene,
  });

beforeEach(() => localStorage.clear());

describe('the table of a project’s chats', () => {
  it.each([
    ['the only model', [sampleModel], null, 'Built-in assistant'],
    ['its own model', [sampleModel, otherModel], otherModel.key, 'Qwen3 30B'],
    ['itself, if people choose the model', [sampleModel, otherModel], null, 'The organisation’s default'],
  ])('names the default chatbot that nobody changed by %s', async (...[, models, model, name]) => {
    show({
      chats: [inProject('Cable list', 1, { chatbotId: sampleBot.id })],
      handlers: {
        'GET /api/chat/chatbots': () => ({ items: [{ ...sampleBot, version: 0, isDefault: true, model }] }),
        'GET /api/chat/models': () => ({ items: models, documentCount: 3, indexedAt: null }),
      },
    });
    const chat = await screen.findByRole('link', { name: 'Cable list' });
    await waitFor(() => expect(chat.closest('tr')).toHaveTextContent(`Cable list${name}`));
  });

  it('counts chats without archived ones, and links to those', async () => {
    show({ chats: [inProject('Cable list', 1)], project: { chats: 3, archivedChats: 2 } });
    const archived = await screen.findByRole('link', { name: '2 archived' });
    expect(archived.closest('p')).toHaveTextContent('1 chat · 2 archived');
    expect(archived).toHaveAttribute('href', '/en/settings?tab=archived');
  });

  it('has a menu without Delete for a role that can only change chats', async () => {
    show({ chats: [inProject('Cable list', 1)], permissions: ['chat:read', 'chat:update'] });
    await click('Actions for Cable list');
    expect(await screen.findByRole('menuitem', { name: 'Rename chat' })).toBeInTheDocument();
    expect(await screen.findByRole('menuitem', { name: 'Select chats' })).toBeInTheDocument();
    expect(screen.queryByRole('menuitem', { name: 'Delete chat' })).toBeNull();
  });

  it('moves several selected chats together, with one Undo', async () => {
    const chats = [inProject('Cable list', 1), inProject('Relay wiring', 2), inProject('Spare parts', 3)];
    const { sent } = show({ chats });
    await click('Actions for Cable list');
    await choose('Select chats');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Relay wiring' }));
    expect(await screen.findByRole('toolbar', { name: 'Selected chats' })).toHaveTextContent('2 selected');
    await click('Move to project');
    await userEvent.click(await screen.findByRole('button', { name: 'Storm season' }));
    expect(await screen.findByText('2 chats moved to “Storm season”.', { exact: false })).toBeInTheDocument();
    expect(screen.queryByRole('toolbar')).toBeNull();
    await click('Undo');
    const conversationIds = [chats[0]!.id, chats[1]!.id];
    await waitFor(() =>
      expect(sent(move)).toEqual([
        { conversationIds, projectId: other.id },
        { conversationIds, projectId: sampleProject.id },
      ]),
    );
  });

  it('keeps the selection if the move is refused', async () => {
    show({
      chats: [inProject('Cable list', 1), inProject('Relay wiring', 2)],
      handlers: { [move]: () => refuse('platform.unavailable') },
    });
    await click('Actions for Cable list');
    await choose('Select chats');
    await click('Move to project');
    await userEvent.click(await screen.findByRole('button', { name: 'Storm season' }));
    expect(await screen.findByText(/stayed as it was/)).toBeInTheDocument();
    expect(await screen.findByRole('checkbox', { name: 'Cable list' })).toBeChecked();
    expect(screen.getByRole('toolbar')).toHaveTextContent('1 selected');
  });

  it('shows the actions as named icons on a small screen', async () => {
    const before = window.matchMedia;
    window.matchMedia = (query) => Object.assign(before(query), { matches: query === '(max-width: 699px)' });
    show({ chats: [inProject('Cable list', 1)] });
    await click('Actions for Cable list');
    await choose('Select chats');
    const button = await screen.findByRole('button', { name: 'Archive chats' });
    expect(button.textContent).toBe('');
    window.matchMedia = before;
  });

  it('keeps the selection if the person cancels the move', async () => {
    const { sent } = show({ chats: [inProject('Cable list', 1)] });
    await click('Actions for Cable list');
    await choose('Select chats');
    await click('Move to project');
    await screen.findByRole('dialog', { name: 'Move to project' });
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('toolbar')).toHaveTextContent('1 selected');
    expect(sent(move)).toEqual([]);
  });
});
