import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { RegistrationInfo } from '@parley/contracts';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderVisitor } from '../../testing/render.tsx';
import { sampleMe } from '../../testing/samples.ts';
import { RegisterPage } from './register-page.tsx';

function show(
  info: RegistrationInfo,
  {
    setupToken = null,
    register = () => sampleMe,
  }: { setupToken?: string | null; register?: Handlers['POST /api/auth/users'] } = {},
) {
  let registered = 0;
  const api = installFakeApi({ 'GET /api/auth/registration': () => info, 'POST /api/auth/users': register });
  renderVisitor(<RegisterPage signInPath="/en" setupToken={setupToken} onRegistered={() => registered++} />, {
    path: '/:locale/register',
    at: '/ar/register',
  });
  return { api, registered: () => registered };
}

async function fill(password: string) {
  await userEvent.type(await screen.findByLabelText('Your name'), 'Kei Amasato');
  await userEvent.type(screen.getByLabelText('Work email'), 'kei@lindmoor.example');
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
}

describe('register', () => {
  it('shows the form in mode open and sends the locale of the page', async () => {
    const { api, registered } = show({ mode: 'open', setupPending: false, contacts: [] });
    expect(await screen.findByLabelText('Your name')).toHaveFocus();
    await fill('quiet-harbour-lamp');
    expect(registered()).toBe(1);
    expect(api.calls.at(-1)?.body).toMatchObject({
      name: 'Kei Amasato',
      locale: 'ar',
      id: expect.stringMatching(/^usr_/),
    });
  });

  it('shows the form with the setup token in any mode and sends it', async () => {
    const { api } = show({ mode: 'closed', setupPending: true, contacts: [] }, { setupToken: 'token-1' });
    await fill('quiet-harbour-lamp');
    expect(api.calls.at(-1)?.body).toMatchObject({ setupToken: 'token-1' });
  });

  it('asks for 12 characters before the server does', async () => {
    const { registered } = show({ mode: 'open', setupPending: false, contacts: [] });
    await fill('short');
    expect(screen.getByText('Use 12 characters or more.')).toBeInTheDocument();
    expect(registered()).toBe(0);
  });

  it('says that the address is taken at its field', async () => {
    show({ mode: 'open', setupPending: false, contacts: [] }, { register: () => refuse('auth.email-taken') });
    await fill('quiet-harbour-lamp');
    expect(await screen.findByText(/There’s already an account with this email address/)).toBeInTheDocument();
    expect(screen.getByLabelText('Work email')).toHaveFocus();
  });

  it('names whom to ask without an invitation', async () => {
    show({ mode: 'invitation', setupPending: false, contacts: ['Ines Vardale', 'Samir Haddad'] });
    expect(await screen.findByText('Ask Ines Vardale or Samir Haddad for an account.')).toBeInTheDocument();
    expect(screen.queryByLabelText('Password')).toBeNull();
  });

  it('points to the setup link while nobody administers', async () => {
    show({ mode: 'open', setupPending: true, contacts: [] });
    expect(await screen.findByText('Open the setup link')).toBeInTheDocument();
  });
});
