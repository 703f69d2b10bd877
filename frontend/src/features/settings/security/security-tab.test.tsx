import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { currentSession } from '../../../domain/session/session.ts';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { SettingsPage } from '../settings-page.tsx';

function show(handlers: Handlers) {
  const api = installFakeApi(handlers);
  renderInOrganisation(<SettingsPage />, { path: '/:locale/settings', at: '/en/settings?tab=security' });
  return api;
}
async function change(current: string, password: string) {
  if (current) await userEvent.type(screen.getByLabelText('Present password'), current);
  await userEvent.type(screen.getByLabelText('New password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }));
}

describe('the password', () => {
  it('is changed by the present one, and says what has ended with it', async () => {
    const { calls } = show({ 'POST /api/auth/password': () => ({ endedSessions: 2 }) });
    await change('three quiet herons', 'four loud bitterns');
    expect(await screen.findByText(/was changed\. 2 other sessions have ended/)).toBeInTheDocument();
    expect(calls[0]?.body).toEqual({ current: 'three quiet herons', password: 'four loud bitterns' });
    expect(screen.getByLabelText('New password')).toHaveValue('');
  });

  it('is not sent without the present one, nor a short one', async () => {
    const { calls } = show({ 'POST /api/auth/password': () => ({ endedSessions: 0 }) });
    await change('', 'short');
    expect(screen.getByText('Enter the password that you have now.')).toBeInTheDocument();
    expect(screen.getByText('Use 12 characters or more.')).toBeInTheDocument();
    expect(calls).toHaveLength(0);
  });

  it.each([
    ['auth.password-wrong', 'Present password'],
    ['auth.password-too-common', 'New password'],
  ] as const)('%s stands at its field', async (code, label) => {
    show({ 'POST /api/auth/password': () => refuse(code) });
    await change('three quiet herons', 'password12345');
    const field = screen.getByLabelText(label).closest('.mantine-PasswordInput-root');
    await waitFor(() => expect(field?.querySelector('.mantine-PasswordInput-error')).not.toBeNull());
    expect(document.querySelectorAll('.mantine-PasswordInput-error')).toHaveLength(1);
  });
});

it('signing out everywhere asks first', async () => {
  const { calls } = show({ 'DELETE /api/auth/sessions': () => undefined });
  await userEvent.click(screen.getByRole('button', { name: 'Sign out everywhere' }));
  expect(calls).toHaveLength(0);
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign out everywhere' }));
  expect(calls.map(({ route }) => route)).toEqual(['DELETE /api/auth/sessions']);
  expect(currentSession()).toMatchObject({ status: 'visitor', hasLeft: true });
});
