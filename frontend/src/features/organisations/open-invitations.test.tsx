import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { TabOrganisationProvider, useTab } from '../../lib/tab-organisation.tsx';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { OpenInvitations } from './open-invitations.tsx';

function Unproven() {
  const tab = useTab();
  return (
    <TabOrganisationProvider value={{ ...tab, me: { ...tab.me, isProven: false } }}>
      <OpenInvitations onJoined={() => undefined} />
    </TabOrganisationProvider>
  );
}
function show({ sendsMail = true, isPlatformAdmin = false }) {
  installFakeApi({ 'GET /api/auth/password-resets': () => ({ sendsMail, contacts: [] }) });
  renderInOrganisation(<Unproven />, { path: '/:locale/settings/orgs', at: '/en/settings/orgs', isPlatformAdmin });
}

it('leads people who have not verified their address to their profile', async () => {
  show({});
  const link = await screen.findByRole('link', { name: 'Verify it in your profile' });
  expect(link).toHaveAttribute('href', '/en/settings');
});

it('says that nobody can verify an address without a mail server, and leads a platform admin to it', async () => {
  show({ sendsMail: false, isPlatformAdmin: true });
  expect(await screen.findByText(/without an email server Parley can’t verify addresses/)).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Verify it in your profile' })).toBeNull();
  const link = screen.getByRole('link', { name: 'Set up an email server' });
  expect(link).toHaveAttribute('href', '/en/settings/org_admin?tab=mail');
});

it('leads nobody but a platform admin to the mail server', async () => {
  show({ sendsMail: false });
  expect(await screen.findByText(/without an email server Parley can’t verify addresses/)).toBeInTheDocument();
  expect(screen.queryByRole('link')).toBeNull();
});
