import { expect, it } from '@jest/globals';
import type { ChatImport, ImportId } from '@parley/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { DataTab } from '../exports/data-tab.tsx';

const id = `imp_${'1'.repeat(26)}` as ImportId;
const of = 'api/chat/imports/:importId';
const done: ChatImport = {
  id,
  files: [{ name: 'chatgpt.zip', bytes: 10, received: [1] }],
  status: 'done',
  failure: null,
  source: 'chatgpt',
  report: null,
  progress: null,
  imported: { chats: 50, messages: 400, branches: 0, files: 0 },
  losses: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  checkedMs: 20,
  expiresAt: null,
};

function show(item: ChatImport, handlers: Handlers = {}, at = '/en/settings?tab=data') {
  let current = item;
  const api = installFakeApi({
    'GET /api/chat/imports': () => ({ items: [current], nextCursor: null, mostBytes: 2_000_000_000 }),
    'GET /api/chat/exports': () => ({ items: [], nextCursor: null }),
    [`GET /${of}`]: () => ({ ...current, here: 48 }),
    [`DELETE /${of}/chats`]: () => (current = { ...current, chats: { state: 'deleting', restorableUntil: null } }),
    [`POST /${of}/chats/restore`]: () =>
      (current = { ...current, chats: { state: 'restoring', restorableUntil: null } }),
    ...handlers,
  });
  renderInOrganisation(<DataTab />, { path: '/:locale/settings', at });
  return (route: string) => api.calls.filter((call) => call.route === route);
}
const chat = {
  id: `cnv_${'3'.repeat(26)}` as never,
  title: 'About herons',
  sequence: 3,
  running: false,
  runningAnswer: null,
  archived: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  lastActivityAt: '2026-11-20T10:00:00.000Z',
  version: 1,
};

it('deletes all chats of an import once that was confirmed with their number, and takes it back', async () => {
  const sent = show(done);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete all chats' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete 48 chats?' }));
  expect(dialog.getByText(/You can restore them for 7 days. Projects stay./)).toBeInTheDocument();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete chats' }));
  await waitFor(() => expect(sent(`DELETE /${of}/chats`)).toHaveLength(1));
  expect(await screen.findByText('Deleting chats…')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Remove chatgpt.zip from this list' })).toBeDisabled();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent(`POST /${of}/chats/restore`)).toHaveLength(1));
  expect(await screen.findByText('Restoring chats…')).toBeInTheDocument();
});

it('says in the dialog why they can’t be deleted', async () => {
  show(done, { [`DELETE /${of}/chats`]: () => refuse('platform.unavailable') });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete all chats' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete chats' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent(/try again/i);
});

it('restores deleted chats as long as that is possible', async () => {
  const until = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const sent = show({ ...done, chats: { state: 'deleted', restorableUntil: until(3) } });
  expect(await screen.findByText('chats deleted')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: /Show the chats/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Restore chats' }));
  await waitFor(() => expect(sent(`POST /${of}/chats/restore`)).toHaveLength(1));
});

it('offers no restore after the seven days', async () => {
  const chats = { state: 'deleted', restorableUntil: '2026-01-01T00:00:00.000Z' } as const;
  show({ ...done, chats });
  expect(await screen.findByText('chats deleted')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Restore chats' })).toBeNull();
});

it('shows the chats of one import, reached from its row', async () => {
  show(done, {
    'GET /api/chat/conversations': ({ query }) => ({ items: query.import === id ? [chat] : [], nextCursor: null }),
  });
  await userEvent.click(await screen.findByRole('link', { name: 'Show chats of chatgpt.zip' }));
  expect(await screen.findByRole('heading', { name: 'Chats of chatgpt.zip' })).toBeInTheDocument();
  expect(await screen.findByRole('link', { name: 'About herons' })).toHaveAttribute(
    'href',
    expect.stringContaining('cnv_'),
  );
  expect(screen.getByText(/archived/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('link', { name: 'Imports' }));
  expect(await screen.findByRole('heading', { name: 'Imported' })).toBeInTheDocument();
});

it('shows the chats of an import that is no longer in the list of imports', async () => {
  const handlers = {
    'GET /api/chat/conversations': () => ({ items: [], nextCursor: null }),
    [`GET /${of}`]: () => refuse('chat.import-not-found'),
  };
  show(done, handlers, `/en/settings?tab=data&import=${id}`);
  expect(await screen.findByText('No chats of this import')).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'Imported chats' })).toBeInTheDocument();
});
