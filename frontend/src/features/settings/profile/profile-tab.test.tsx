import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Me } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { setSession, useSession } from '../../../domain/session/session.ts';
import { TabOrganisationProvider, useTab } from '../../../lib/tab-organisation.tsx';
import { refuseOld, installFakeApi, type Handlers } from '../../../testing/fake-api.ts';
import { loseConnectionForLong, withPassingTime } from '../../../testing/lost-connection.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleMe } from '../../../testing/samples.ts';
import { SettingsPage } from '../settings-page.tsx';

/** The person is that of the session, as behind the sign-in. */
function Settings() {
  const tab = useTab();
  const session = useSession();
  return (
    <TabOrganisationProvider value={session.status === 'signed-in' ? { ...tab, me: session.me } : tab}>
      <SettingsPage />
      <p>{useLocation().pathname}</p>
    </TabOrganisationProvider>
  );
}

let stored: Me;
const patch: Handlers['PATCH /api/auth/me'] = ({ body: { version, ...changes } }) => {
  if (version !== stored.version) return refuseOld(stored);
  stored = { ...stored, ...(changes as Partial<Me>), version: version + 1 };
  return stored;
};
/** What another device has written meanwhile. */
const elsewhere = (changes: Partial<Me>) => (stored = { ...stored, ...changes, version: stored.version + 1 });

function show() {
  const api = installFakeApi({ 'PATCH /api/auth/me': patch });
  renderInOrganisation(<Settings />, { path: '/:locale/settings', at: '/en/settings' });
  return api;
}
const name = () => screen.getByLabelText('Name');

beforeEach(() => {
  stored = sampleMe;
  setSession({ status: 'signed-in', me: sampleMe });
});

describe('the profile', () => {
  it('has a link mailed that confirms the address, where it is not confirmed yet', async () => {
    setSession({ status: 'signed-in', me: { ...sampleMe, isProven: false } });
    const { calls } = installFakeApi({
      'GET /api/auth/password-resets': () => ({ sendsMail: true, contacts: [] }),
      'POST /api/auth/address-proofs': () => ({ sendsMail: true }),
    });
    renderInOrganisation(<Settings />, { path: '/:locale/settings', at: '/en/settings' });
    await userEvent.click(screen.getByRole('button', { name: 'Send me the link' }));
    expect(await screen.findByText(/Open the newest link in your email/)).toBeInTheDocument();
    expect(calls.filter(({ route }) => route.startsWith('POST'))).toHaveLength(1);
  });

  it('says nothing about an address that is confirmed', () => {
    show();
    expect(screen.queryByText(/Not verified yet/)).not.toBeInTheDocument();
  });

  it('saves a name on leaving its field, and takes it back', async () => {
    const { calls } = show();
    await userEvent.type(name(), ' jr');
    expect(calls).toHaveLength(0);
    await userEvent.tab();
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(calls[0]?.body).toEqual({ version: 1, name: 'Ines Vardale jr' });
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Taken back')).toBeInTheDocument();
    expect(stored.name).toBe('Ines Vardale');
    expect(name()).toHaveValue('Ines Vardale');
  });

  it('saves neither an empty name, nor one that Escape has dropped', async () => {
    const { calls } = show();
    await userEvent.clear(name());
    await userEvent.tab();
    expect(name()).toHaveValue('Ines Vardale');
    await userEvent.type(name(), 'x{Escape}');
    await userEvent.tab();
    expect(calls).toHaveLength(0);
  });

  it('keeps what another device has changed in another field', async () => {
    show();
    elsewhere({ timeZone: 'Asia/Riyadh' });
    await userEvent.type(name(), ' jr{Enter}');
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(stored).toMatchObject({ name: 'Ines Vardale jr', timeZone: 'Asia/Riyadh' });
    expect(screen.getByLabelText('Time zone')).toHaveValue('Asia/Riyadh');
  });

  it('shows both values where another device was faster, and overwrites only when asked to', async () => {
    show();
    elsewhere({ name: 'Ines V.' });
    await userEvent.type(name(), ' jr{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(/Now it is Ines V\.; yours was Ines Vardale jr/);
    expect(stored.name).toBe('Ines V.');
    await userEvent.click(screen.getByRole('button', { name: 'Save mine' }));
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(stored.name).toBe('Ines Vardale jr');
  });

  it('lets what the other device has written be', async () => {
    const { calls } = show();
    elsewhere({ name: 'Ines V.' });
    await userEvent.type(name(), ' jr{Enter}');
    await userEvent.click(await screen.findByRole('button', { name: 'Keep it as it is' }));
    expect(name()).toHaveValue('Ines V.');
    expect(calls).toHaveLength(1);
  });

  it('keeps the typed name when it could not be saved', async () => {
    show();
    installFakeApi({});
    await userEvent.type(name(), ' jr{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent(/Not saved/);
    expect(name()).toHaveValue('Ines Vardale jr');
    installFakeApi({ 'PATCH /api/auth/me': patch });
    await userEvent.click(screen.getByRole('button', { name: 'Save again' }));
    await waitFor(() => expect(stored.name).toBe('Ines Vardale jr'));
  });

  it('goes to the chosen language, and back', async () => {
    show();
    await userEvent.selectOptions(screen.getByLabelText('Language'), 'ar');
    expect(await screen.findByText('/ar/settings')).toBeInTheDocument();
    expect(stored.locale).toBe('ar');
    await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('/en/settings')).toBeInTheDocument();
  });

  it('takes a time zone, or that of the device', async () => {
    show();
    await userEvent.selectOptions(screen.getByLabelText('Time zone'), 'Europe/Oslo');
    await waitFor(() => expect(stored.timeZone).toBe('Europe/Oslo'));
    await userEvent.selectOptions(screen.getByLabelText('Time zone'), '');
    await waitFor(() => expect(stored.timeZone).toBeNull());
  });

  it('shows the address as locked, and whom to ask', () => {
    show();
    expect(screen.getByLabelText('Email')).toHaveAttribute('readonly');
    expect(screen.getByText(/ask a platform admin/)).toBeInTheDocument();
  });
});

it('offers no link where there is no mail server to send it', async () => {
  setSession({ status: 'signed-in', me: { ...sampleMe, isProven: false } });
  installFakeApi({ 'GET /api/auth/password-resets': () => ({ sendsMail: false, contacts: [] }) });
  renderInOrganisation(<Settings />, { path: '/:locale/settings', at: '/en/settings' });
  expect(await screen.findByText(/without an email server Parley can’t verify addresses/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Send me the link' })).not.toBeInTheDocument();
});

describe('without a connection', () => {
  withPassingTime();
  it('nothing can be changed, and the reason stands there', async () => {
    show();
    // The connection listens once its library is here.
    expect(await screen.findByText('Reconnecting')).toBeInTheDocument();
    await loseConnectionForLong();
    expect(name()).toHaveAttribute('readonly');
    expect(screen.getByLabelText('Language')).toBeDisabled();
    expect(screen.getAllByText('Off until the connection is back').length).toBeGreaterThan(0);
  });
});
