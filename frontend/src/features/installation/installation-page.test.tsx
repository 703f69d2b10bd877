import { describe, expect, it } from '@jest/globals';
import type { ListedMail, MailDelivery, MailId } from '@parley/contracts';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { InstallationPage } from './installation-page.tsx';

const well: MailDelivery = { delivers: true, waiting: 0, failingSince: null, failure: null };
const mail: ListedMail = {
  id: `mal_${'1'.padStart(26, '0')}` as MailId,
  to: 'ines@lindmoor.example',
  kind: 'password-reset',
  locale: 'en',
  state: 'sent',
  attempts: 1,
  createdAt: '2026-11-21T10:41:00.000Z',
  doneAt: '2026-11-21T10:41:02.000Z',
  failure: null,
  linkEndsAt: null,
};
const kept: ListedMail = { ...mail, state: 'kept', linkEndsAt: '2026-11-21T11:11:00.000Z' };
const link = 'https://parley.example/en/reset-password#abc';

function show(items: ListedMail[], delivery = well, handlers: Handlers = {}) {
  const api = installFakeApi({ 'GET /api/auth/mails': () => ({ items, nextCursor: null, delivery }), ...handlers });
  renderInOrganisation(<InstallationPage />, {
    path: '/:locale/settings/org_admin',
    at: '/en/settings/org_admin?tab=mail',
  });
  return api;
}

describe('mails of the installation', () => {
  it('lists recipient, kind and state; a mail that has left has no link', async () => {
    show([mail]);
    expect(await screen.findByText('ines@lindmoor.example')).toBeInTheDocument();
    expect(screen.getByText('Link for a new password')).toBeInTheDocument();
    expect(screen.getByRole('cell', { name: 'Sent' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Show link' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Emails' })).toHaveAttribute('aria-current', 'page');
  });

  it('says since when the mail server takes nothing, and what it says', async () => {
    const failure = 'connect ECONNREFUSED';
    show([{ ...mail, state: 'waiting', failure, attempts: 3 }], {
      delivers: true,
      waiting: 2,
      failingSince: '2026-11-21T10:00:00.000Z',
      failure,
    });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      /2 emails have been waiting since .* Last answer: connect ECONNREFUSED/,
    );
  });

  it('says that no mail leaves where there is no mail server', async () => {
    show([], { ...well, delivers: false });
    expect(await screen.findByText(/No email server is set/)).toBeInTheDocument();
    expect(screen.getByText('No emails yet')).toBeInTheDocument();
  });

  it('shows a link for a reason only', async () => {
    const { calls } = show([kept], well, {
      'POST /api/auth/mails/:mailId/link': () => ({ link, endsAt: '2026-11-21T11:11:00.000Z' }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Show link' }));
    const dialog = await screen.findByRole('dialog');
    const button = () => [...dialog.querySelectorAll('button')].find(({ type }) => type === 'submit')!;
    await userEvent.click(button());
    expect(screen.getByText('Say why: the recipient reads it.')).toBeInTheDocument();
    expect(calls.some(({ route }) => route === 'POST /api/auth/mails/:mailId/link')).toBe(false);
    await userEvent.type(screen.getByLabelText('Reason'), 'Ines has called me');
    await userEvent.click(button());
    expect(await screen.findByLabelText('Link')).toHaveValue(link);
    expect(calls.at(-1)?.body).toEqual({ reason: 'Ines has called me' });
  });

  it('says so when the link has ended meanwhile', async () => {
    show([kept], well, { 'POST /api/auth/mails/:mailId/link': () => refuse('auth.link-ended') });
    await userEvent.click(await screen.findByRole('button', { name: 'Show link' }));
    await userEvent.type(await screen.findByLabelText('Reason'), 'Ines has called me{Enter}');
    expect(await screen.findByText(/no longer works/)).toBeInTheDocument();
  });
});
