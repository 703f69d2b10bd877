import { expect, it } from '@jest/globals';
import type { ConversationId, DeletedConversation } from '@parley/contracts';
import { permissionsOf, type Permission } from '@parley/contracts/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleConversation, sampleProject } from '../../../testing/samples.ts';
import { SettingsPage } from '../settings-page.tsx';

const list = 'GET /api/chat/deleted-conversations';
const projects = 'GET /api/chat/projects';
const restore = 'POST /api/chat/conversations/:conversationId/restore';
const erase = 'POST /api/chat/conversations/:conversationId/erase';
const deleted = (n: number, title: string): DeletedConversation => ({
  id: `cnv_${String(n).padStart(26, '0')}` as ConversationId,
  title,
  deletedAt: '2026-11-20T10:00:00.000Z',
  eraseAt: '2026-11-27T10:00:00.000Z',
});

function show(handlers: Handlers = {}, permissions: readonly Permission[] = permissionsOf('guest')) {
  let items = [deleted(1, 'Leave'), deleted(2, 'VPN')];
  const without = (id: string) => {
    items = items.filter((item) => item.id !== id);
  };
  const api = installFakeApi({
    [list]: () => ({ items, nextCursor: null }),
    [projects]: () => ({ items: [], nextCursor: null }),
    [restore]: ({ params }) => {
      without(params.conversationId);
      return { ...sampleConversation, id: params.conversationId };
    },
    [erase]: ({ params }) => without(params.conversationId) as undefined,
    ...handlers,
  });
  renderInOrganisation(<SettingsPage />, { path: '/:locale/settings', at: '/en/settings?tab=deleted', permissions });
  return api;
}
const gone = (title: string) => waitFor(() => expect(screen.queryByText(title, { selector: 'td *' })).toBeNull());

it('says when each chat is erased, and brings one back', async () => {
  const { calls } = show();
  const row = within((await screen.findByText('Leave')).closest('tr')!);
  expect(row.getByText('Nov 27, 2026')).toBeInTheDocument();
  expect(screen.getByText(/for 7 days\. Then it’s erased for good/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Restore Leave' }));
  await gone('Leave');
  expect(await screen.findByText('Leave', { selector: 'bdi.p-cut' })).toBeInTheDocument();
  expect(screen.getByText('VPN')).toBeInTheDocument();
  expect(calls.map(({ route }) => route)).not.toContain(erase);
});

it('erases a chat at once only after it was asked for once more', async () => {
  const { calls } = show();
  await userEvent.click(await screen.findByRole('button', { name: 'Delete permanently: VPN' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete “VPN” permanently?' }));
  expect(dialog.getByText(/You can’t restore it after that/)).toBeInTheDocument();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(calls.map(({ route }) => route)).not.toContain(erase);
  await userEvent.click(screen.getByRole('button', { name: 'Delete permanently: VPN' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete permanently' }));
  await gone('VPN');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByText('Leave')).toBeInTheDocument();
});

it('says that a chat was erased meanwhile, and that there are none', async () => {
  let items = [deleted(1, 'Leave')];
  show({
    [list]: () => ({ items, nextCursor: null }),
    [restore]: () => {
      items = [];
      return refuse('chat.conversation-erased');
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Restore Leave' }));
  expect(await screen.findByText('This chat was erased for good and can’t be restored.')).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: 'No deleted chats' })).toBeInTheDocument();
});

it('lists deleted projects apart, and restores one', async () => {
  const times = { at: '2026-11-20T10:00:00.000Z', eraseAt: '2026-11-28T10:00:00.000Z' };
  let items = [{ ...sampleProject, name: 'Storm season', deleting: true, deleted: times }];
  const { calls } = show({
    [projects]: ({ query }) => ({ items: query.only === 'deleted' ? items : [], nextCursor: null }),
    'POST /api/chat/projects/:projectId/restore': ({ params }) => {
      items = items.filter(({ id }) => id !== params.projectId);
      return sampleProject;
    },
  });
  const row = within((await screen.findByText('Storm season')).closest('tr')!);
  expect(row.getByText('Nov 28, 2026')).toBeInTheDocument();
  expect(row.queryByRole('button', { name: /Delete permanently/ })).toBeNull();
  await userEvent.click(row.getByRole('button', { name: 'Restore Storm season' }));
  await gone('Storm season');
  expect(screen.queryByText(/restore a deleted project/)).toBeNull();
  expect(screen.getByText('Leave')).toBeInTheDocument();
  expect(calls.filter(({ route }) => route.endsWith('projects/:projectId/restore'))).toHaveLength(1);
});

it('says that deleted projects could not be loaded, and shows deleted chats all the same', async () => {
  show({ [projects]: () => refuse('platform.internal') });
  expect(await screen.findByText('Deleted projects could not be loaded')).toBeInTheDocument();
  expect(await screen.findByText('Leave')).toBeInTheDocument();
});

it('is a tab of those only who may delete chats', async () => {
  show({}, ['chat:read']);
  expect(await screen.findByRole('link', { name: 'Profile' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Deleted chats' })).toBeNull();
});
