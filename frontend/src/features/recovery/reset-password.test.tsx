import { afterEach, describe, expect, it } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { setSession } from '../../domain/session/session.ts';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderVisitor } from '../../testing/render.tsx';
import { sampleMe } from '../../testing/samples.ts';
import { ResetPassword } from './reset-password.tsx';

const good: Handlers = {
  'POST /api/auth/password-resets/check': () => ({
    email: 'ines@lindmoor.example',
    endsAt: '2026-11-21T11:12:00.000Z',
  }),
  'POST /api/auth/password-resets/redeem': () => ({ endedSessions: 2 }),
};
function show(handlers: Handlers, token = 'the-token') {
  const api = installFakeApi(handlers);
  renderVisitor(
    <ResetPassword token={token} forgotPath="/en/forgot-password" signInPath="/en" onOpen={() => undefined} />,
  );
  return api;
}
const set = async (password: string) => {
  await userEvent.type(await screen.findByLabelText('New password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
};
afterEach(() => act(() => setSession({ status: 'unknown' })));

describe('reset password', () => {
  it('sets the password and says what has ended', async () => {
    const { calls } = show(good);
    await set('four loud bitterns');
    expect(await screen.findByRole('heading', { name: 'Your new password is set' })).toBeInTheDocument();
    expect(screen.getByText(/2 other sessions were ended/)).toBeInTheDocument();
    expect(calls.at(-1)?.body).toEqual({ token: 'the-token', password: 'four loud bitterns' });
  });

  it.each(['', 'the-token'])('leads from a link that is no longer good to a new one: %j', async (token) => {
    show({ 'POST /api/auth/password-resets/check': () => refuse('auth.link-ended') }, token);
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute('href', '/en/forgot-password');
  });

  it('says at the field what is wrong with the password and keeps the link', async () => {
    show({ ...good, 'POST /api/auth/password-resets/redeem': () => refuse('auth.password-too-common') });
    await set('short');
    expect(screen.getByText('Use 12 characters or more.')).toBeInTheDocument();
    await set('password1234');
    expect(await screen.findByText(/list of common passwords/)).toBeInTheDocument();
    expect(screen.getByLabelText('New password')).toHaveValue('shortpassword1234');
  });

  it('says so when somebody was faster', async () => {
    show({ ...good, 'POST /api/auth/password-resets/redeem': () => refuse('auth.link-ended') });
    await set('four loud bitterns');
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
  });

  it('says who is signed in here, if it is somebody else', async () => {
    setSession({ status: 'signed-in', me: { ...sampleMe, email: 'runa@lindmoor.example', name: 'Runa Fjelder' } });
    show(good);
    expect(await screen.findByText(/Runa Fjelder is signed in here/)).toBeInTheDocument();
  });
});
