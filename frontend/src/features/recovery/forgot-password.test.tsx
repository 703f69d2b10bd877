import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderVisitor } from '../../testing/render.tsx';
import { ForgotPassword } from './forgot-password.tsx';

const endsAt = '2026-11-21T11:12:00.000Z';
const withMail: Handlers = {
  'GET /api/auth/password-resets': () => ({ sendsMail: true, contacts: ['Runa Fjelder'] }),
  'POST /api/auth/password-resets': () => ({ endsAt }),
};

function show(handlers: Handlers = withMail) {
  const api = installFakeApi(handlers);
  renderVisitor(<ForgotPassword signInPath="/en" />);
  return api;
}
async function ask(email: string, button: string) {
  await userEvent.type(screen.getByLabelText('Work email'), email);
  await userEvent.click(await screen.findByRole('button', { name: button }));
}

describe('forgot password', () => {
  it('asks for the link in the language of the page and says the same for every address', async () => {
    const { calls } = show();
    await ask(' ines@lindmoor.example ', 'Send the link');
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeInTheDocument();
    expect(screen.getByText('ines@lindmoor.example')).toBeInTheDocument();
    expect(calls.at(-1)?.body).toEqual({ email: 'ines@lindmoor.example', locale: 'en' });
    expect(screen.getByRole('button', { name: 'Send it again' })).toBeDisabled();
    expect(screen.getByText('possible in 1:00')).toBeInTheDocument();
  });

  it('goes back to the field with what was typed', async () => {
    show();
    await ask('ines@lindmoor.example', 'Send the link');
    await userEvent.click(await screen.findByRole('button', { name: 'Use another address' }));
    expect(screen.getByLabelText('Work email')).toHaveValue('ines@lindmoor.example');
  });

  it('says who hands the link over where no mail is sent', async () => {
    show({ ...withMail, 'GET /api/auth/password-resets': () => ({ sendsMail: false, contacts: ['Runa', 'Ines'] }) });
    expect(await screen.findByText(/Runa or Ines can give it to you/)).toBeInTheDocument();
    await ask('ines@lindmoor.example', 'Ask for a link');
    expect(await screen.findByText(/Runa or Ines can now hand you a link/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Send it again' })).toBeNull();
  });

  it('asks nobody about an address that is none, and says why it was refused', async () => {
    const { calls } = show({ ...withMail, 'POST /api/auth/password-resets': () => refuse('platform.rate-limited') });
    await ask('nobody', 'Send the link');
    expect(screen.getByText(/Enter an email address/)).toBeInTheDocument();
    expect(calls.some(({ route }) => route === 'POST /api/auth/password-resets')).toBe(false);
    await ask('@lindmoor.example', 'Send the link');
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(screen.getByLabelText('Work email')).toHaveValue('nobody@lindmoor.example');
  });
});
