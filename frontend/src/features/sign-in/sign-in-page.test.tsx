import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Me } from '@parley/contracts';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderVisitor } from '../../testing/render.tsx';
import { sampleMe } from '../../testing/samples.ts';
import { SignInPage } from './sign-in-page.tsx';

const open: Handlers['GET /api/auth/registration'] = () => ({ mode: 'open', setupPending: false, contacts: [] });

function show(handlers: Handlers) {
  const signedIn: Me[] = [];
  const api = installFakeApi({ 'GET /api/auth/registration': open, ...handlers });
  renderVisitor(
    <SignInPage
      registerPath="/en/register"
      forgotPath="/en/forgot-password"
      onSignedIn={(me) => signedIn.push(me)}
      wasSent={false}
    />,
  );
  return { api, signedIn };
}

async function fill(email: string, password: string) {
  await userEvent.type(screen.getByLabelText('Work email'), email);
  await userEvent.type(screen.getByLabelText('Password'), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

describe('sign-in', () => {
  it('signs in and carries the CSRF header', async () => {
    const { api, signedIn } = show({ 'POST /api/auth/sessions': () => sampleMe });
    await fill(' ines@lindmoor.example', 'quiet-harbour-lamp');
    expect(signedIn).toEqual([sampleMe]);
    const call = api.calls.find(({ route }) => route === 'POST /api/auth/sessions');
    expect(call?.body).toEqual({ email: 'ines@lindmoor.example', password: 'quiet-harbour-lamp' });
    expect(call?.headers['parley-csrf']).toBe('1');
  });

  it('says at the field that the credentials are wrong and keeps what was typed', async () => {
    const { signedIn } = show({ 'POST /api/auth/sessions': () => refuse('auth.invalid-credentials') });
    await fill('ines@lindmoor.example', 'wrong');
    expect(await screen.findByText(/The email or password is incorrect/)).toBeInTheDocument();
    expect(screen.getByLabelText('Work email')).toHaveValue('ines@lindmoor.example');
    expect(signedIn).toEqual([]);
  });

  it('names the missing field without asking the server', async () => {
    const { api } = show({ 'POST /api/auth/sessions': () => sampleMe });
    await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(screen.getByText('Enter your email address.')).toBeInTheDocument();
    expect(screen.getByLabelText('Work email')).toHaveFocus();
    expect(api.calls.some(({ route }) => route === 'POST /api/auth/sessions')).toBe(false);
  });

  it('offers an account only where one can be made', async () => {
    show({ 'GET /api/auth/registration': () => ({ mode: 'invitation', setupPending: false, contacts: ['Ines'] }) });
    expect(await screen.findByRole('link', { name: 'How to get an account' })).toBeInTheDocument();
  });
});
