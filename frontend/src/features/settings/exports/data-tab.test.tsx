import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ChatExport, ExportId } from '@parley/contracts';
import { permissionsOf, type Permission } from '@parley/contracts/permissions';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { SettingsPage } from '../settings-page.tsx';

const list = 'GET /api/chat/exports';
const create = 'POST /api/chat/exports';
const remove = 'DELETE /api/chat/exports/:exportId';
const ready: ChatExport = {
  id: `exp_${'1'.padStart(26, '0')}` as ExportId,
  status: 'ready',
  failure: null,
  progress: null,
  chats: 12,
  files: 1,
  bytes: 4_200_000,
  createdAt: '2026-11-20T10:00:00.000Z',
  expiresAt: '2026-11-27T10:00:00.000Z',
};
const waiting: ChatExport = { ...ready, status: 'waiting', chats: 0, files: 0, bytes: 0, expiresAt: null };

let followed: string[] = [];
beforeEach(() => {
  followed = [];
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    followed.push(this.getAttribute('href') ?? '');
  });
});
afterEach(() => {
  jest.restoreAllMocks();
});

function show(
  first: readonly ChatExport[],
  handlers: Handlers = {},
  permissions: readonly Permission[] = permissionsOf('guest'),
) {
  let items = [...first];
  const api = installFakeApi({
    [list]: () => ({ items, nextCursor: null }),
    [create]: ({ body }) => {
      items = [{ ...waiting, id: body.id }, ...items];
      return items[0]!;
    },
    [remove]: ({ params }) => {
      items = items.filter(({ id }) => id !== params.exportId);
      return undefined;
    },
    'GET /api/auth/confirm': () => ({ confirmedUntil: '2026-11-20T10:10:00.000Z' }),
    ...handlers,
  });
  renderInOrganisation(<SettingsPage />, { path: '/:locale/settings', at: '/en/settings?tab=data', permissions });
  return api;
}
const exportButton = () => screen.findByRole('button', { name: 'Export my data' });
const downloadButton = () => screen.findByRole('button', { name: /^Download export of/ });

describe('an export of own data', () => {
  it('is begun once at a time, and the reason is beside the button', async () => {
    const { calls } = show([]);
    expect(await screen.findByText(/No exports yet/)).toBeInTheDocument();
    await userEvent.click(await exportButton());
    expect(await screen.findByText('Starts shortly')).toBeInTheDocument();
    expect(await exportButton()).toBeDisabled();
    expect(screen.getByText('One export at a time')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Stop export' }));
    await waitFor(() => expect(screen.queryByText('Starts shortly')).toBeNull());
    expect(await exportButton()).toBeEnabled();
    expect(calls.map(({ route }) => route)).toContain(remove);
  });

  it('says how far it is', async () => {
    show([{ ...waiting, status: 'writing', progress: { done: 3, of: 12 } }]);
    expect(await screen.findByRole('progressbar', { name: 'Exported 3 of 12 chats' })).toHaveValue(3);
  });

  it('says what is in it, and until when', async () => {
    show([ready]);
    expect(await screen.findByText(/12 chats · 1 file · 4\.2 MB|12 chats/)).toHaveTextContent(
      '12 chats · 1 file · 4.2 MB · Available until Nov 27, 2026',
    );
  });

  it.each([
    ['over-quota', /storage quota/],
    ['disk-full', /disk is full/],
    ['access-lost', /access to chats ended/],
    ['interrupted', /interrupted three times/],
  ] as const)('that has failed says why: %s', async (failure, words) => {
    show([{ ...ready, status: 'failed', failure, bytes: 0 }]);
    expect(await screen.findByText(words)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Download export/ })).toBeNull();
  });

  it('that is refused says why', async () => {
    show([], { [create]: () => refuse('chat.storage-quota-reached') });
    await userEvent.click(await exportButton());
    expect(await screen.findByRole('alert')).toHaveTextContent(/storage quota/);
  });

  it('is deleted only after it was asked for', async () => {
    const { calls } = show([ready]);
    await userEvent.click(await screen.findByRole('button', { name: /^Delete export of/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this export?' }));
    expect(calls.map(({ route }) => route)).not.toContain(remove);
    await userEvent.click(dialog.getByRole('button', { name: 'Delete export' }));
    expect(await screen.findByText(/No exports yet/)).toBeInTheDocument();
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('a download', () => {
  it('follows a link that names the organisation, soon after a sign-in', async () => {
    show([ready]);
    await userEvent.click(await downloadButton());
    await waitFor(() => expect(followed).toHaveLength(1));
    expect(followed[0]).toMatch(new RegExp(`^/api/chat/exports/${ready.id}/content\\?org=org_`));
  });

  it('asks for the password later, and stays where it was wrong', async () => {
    let tries = 0;
    const { calls } = show([ready], {
      'GET /api/auth/confirm': () => ({ confirmedUntil: null }),
      'POST /api/auth/confirm': () =>
        (tries += 1) === 1 ? refuse('auth.password-wrong') : { confirmedUntil: '2026-11-20T10:10:00.000Z' },
    });
    await userEvent.click(await downloadButton());
    const dialog = within(await screen.findByRole('dialog', { name: 'Enter your password to download' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Download' }));
    expect(await dialog.findByText('Enter your password.')).toBeInTheDocument();
    await userEvent.type(dialog.getByLabelText('Current password'), 'wrong one');
    await userEvent.click(dialog.getByRole('button', { name: 'Download' }));
    expect(await dialog.findByText(/password is not right/)).toBeInTheDocument();
    expect(followed).toEqual([]);
    await userEvent.clear(dialog.getByLabelText('Current password'));
    await userEvent.type(dialog.getByLabelText('Current password'), 'the right one');
    await userEvent.click(dialog.getByRole('button', { name: 'Download' }));
    await waitFor(() => expect(followed).toHaveLength(1));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls.filter(({ body }) => (body as { password?: string } | undefined)?.password)).toHaveLength(2);
  });
});

it('a list that can’t be loaded says so', async () => {
  show([], { [list]: () => refuse('platform.internal') });
  expect(await screen.findByText('Exports could not be loaded')).toBeInTheDocument();
});

it('people who can’t read chats have no such tab', async () => {
  show([], {}, []);
  expect(await screen.findByRole('link', { name: 'Profile' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Data' })).toBeNull();
});
