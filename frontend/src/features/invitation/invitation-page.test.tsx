import { expect, it, jest } from '@jest/globals';
import type { InvitationView } from '@parley/contracts';
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderVisitor } from '../../testing/render.tsx';
import { sampleMe, sampleOrganisation } from '../../testing/samples.ts';
import { InvitationPage } from './invitation-page.tsx';

const at = '2026-11-27T09:14:00.000Z';
const open: InvitationView = {
  state: 'open',
  kind: 'mail',
  organisation: 'Lindmoor Energy',
  inviter: 'Tomas Brekhold',
  role: 'member',
  roleName: null,
  groups: ['Field south'],
  message: 'Welcome to Field south.',
  createdAt: at,
  endsAt: at,
  email: 'ines@lindmoor.example',
  hasAccount: false,
  domain: null,
};

function show(handlers: Handlers, { isMe = false } = {}) {
  installFakeApi(handlers);
  const props = { onJoined: jest.fn(), onOpen: jest.fn(), onSwitch: jest.fn() };
  renderVisitor(
    <InvitationPage
      token="secret"
      me={isMe ? sampleMe : null}
      form={({ email, submit }) => (
        <button type="button">
          {submit} as {email}
        </button>
      )}
      signInPath="/en"
      forgotPath="/en/forgot-password"
      {...props}
    />,
  );
  return props;
}
const seen = (view: InvitationView): Handlers => ({ 'POST /api/org/invitations/view': () => view });

it('offers a new account for the invited address, with who invites to what', async () => {
  show(seen(open));
  expect(await screen.findByRole('button', { name: 'Join Lindmoor Energy as ines@lindmoor.example' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Decline' })).toBeTruthy();
  for (const text of [
    'Tomas Brekhold',
    'Member',
    'Field south',
    'Welcome to Field south.',
    'owners and people who can read the usage ledger by name see your name',
  ])
    expect(screen.getAllByText(text, { exact: false }).length).toBeGreaterThan(0);
});

it('sends whoever has an account to sign in', async () => {
  show(seen({ ...open, hasAccount: true }));
  expect((await screen.findByRole('link', { name: 'Sign in' })).getAttribute('href')).toBe('/en');
});

it('lets who has an account sign in, where the page must not say whether there is one', async () => {
  show(seen({ ...open, hasAccount: null }));
  expect(await screen.findByRole('button', { name: /^Join Lindmoor Energy as/ })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Sign in' })).toBeTruthy();
});

it('goes on by itself when a seat is free', async () => {
  jest.useFakeTimers();
  let view: InvitationView = { state: 'seats-full', organisation: 'Lindmoor Energy', seats: 500, endsAt: at };
  show({ 'POST /api/org/invitations/view': () => view });
  await act(() => jest.advanceTimersByTimeAsync(1_000));
  expect(screen.getByRole('heading').textContent).toMatch(/All 500 seats/);
  view = open;
  await act(() => jest.advanceTimersByTimeAsync(30_000));
  jest.useRealTimers();
  expect(await screen.findByRole('button', { name: /^Join Lindmoor Energy as/ })).toBeTruthy();
});

it('joins who is signed in, and says what kept them out', async () => {
  let isFull = true;
  const { onJoined } = show(
    {
      'POST /api/org/my-invitations/view': () => open,
      'POST /api/org/my-invitations/accept': () => (isFull ? refuse('org.seats-full') : sampleOrganisation),
    },
    { isMe: true },
  );
  const join = await screen.findByRole('button', { name: 'Join Lindmoor Energy' });
  await userEvent.click(join);
  expect((await screen.findByRole('alert')).textContent).toContain('All seats are taken');
  isFull = false;
  await userEvent.click(join);
  expect(onJoined).toHaveBeenCalledWith(sampleOrganisation);
});

it.each<[InvitationView, RegExp]>([
  [{ state: 'expired', at }, /ended on/],
  [{ state: 'revoked', at }, /was withdrawn/],
  [{ state: 'used', at }, /was used/],
  [{ state: 'seats-full', organisation: 'Lindmoor Energy', seats: 500, endsAt: at }, /All 500 seats/],
  [{ state: 'inviter-lost-right', organisation: 'Lindmoor Energy' }, /can’t be used now/],
])('says why nobody joins: %j', async (view, title) => {
  show(seen(view));
  expect((await screen.findByRole('heading')).textContent).toMatch(title);
  expect(screen.getByRole('link', { name: 'Go to sign-in' })).toBeTruthy();
});

it('names nobody to another account, and lets it be switched', async () => {
  const { onSwitch } = show(
    { 'POST /api/org/my-invitations/view': () => ({ state: 'other-account' }) },
    { isMe: true },
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Switch account' }));
  expect(onSwitch).toHaveBeenCalled();
  expect(document.body.textContent).not.toContain('Lindmoor Energy');
});

it('says of a secret that is none what to do', async () => {
  show({ 'POST /api/org/invitations/view': () => refuse('org.invitation-not-found') });
  expect(await screen.findByRole('heading', { name: 'This link isn’t an invitation' })).toBeTruthy();
});
