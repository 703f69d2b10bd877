import { describe, expect, it } from '@jest/globals';
import type { Me } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderVisitor } from '../../testing/render.tsx';
import { sampleMe } from '../../testing/samples.ts';
import { ProveAddress } from './prove-address.tsx';

const redeem = 'POST /api/auth/address-proofs/redeem';
const good: Handlers = { [redeem]: () => undefined };

function show(handlers: Handlers, me: Me | null = sampleMe) {
  const api = installFakeApi(handlers);
  const over: string[] = [];
  renderVisitor(
    <ProveAddress
      token="the-token"
      me={me}
      signInPath="/en?next=x"
      onOver={() => over.push('over')}
      onOpen={() => over.push('open')}
    />,
  );
  return { ...api, over };
}

describe('the link that confirms an address', () => {
  it('does so at once for whoever is signed in, and is forgotten', async () => {
    const { calls, over } = show(good);
    expect(await screen.findByRole('heading', { name: 'Your address is confirmed' })).toBeInTheDocument();
    expect(screen.getByText(/ines@lindmoor.example/)).toBeInTheDocument();
    expect(calls[0]?.body).toEqual({ token: 'the-token' });
    await waitFor(() => expect(over).toContain('over'));
  });

  it('asks a visitor to sign in and keeps the link', () => {
    const { calls, over } = show(good, null);
    expect(screen.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/en?next=x');
    expect(calls).toEqual([]);
    expect(over).toEqual([]);
  });

  it('says who is signed in when it is of no use to that account', async () => {
    const { over } = show({ [redeem]: () => refuse('auth.link-ended') });
    expect(await screen.findByRole('heading', { name: 'This link no longer works' })).toBeInTheDocument();
    expect(screen.getByText(/You are signed in as/)).toHaveTextContent('ines@lindmoor.example');
    await waitFor(() => expect(over).toContain('over'));
  });

  it('is tried again when nobody answered', async () => {
    let isAway = true;
    const { over } = show({ [redeem]: () => (isAway ? refuse('platform.rate-limited') : undefined) });
    const again = await screen.findByRole('button', { name: 'Try again' });
    expect(over).toEqual([]);
    isAway = false;
    await userEvent.click(again);
    expect(await screen.findByRole('heading', { name: 'Your address is confirmed' })).toBeInTheDocument();
  });
});
