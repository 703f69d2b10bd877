import { expect, it } from '@jest/globals';
import type { SecurityEntry, SecurityEntryId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { InstallationPage } from '../installation-page.tsx';

const at = '2026-11-21T10:41:00.000Z';
const idOf = (digit: string) => `sec_${digit.padStart(26, '0')}` as SecurityEntryId;
const signedIn: SecurityEntry = {
  id: idOf('1'),
  kind: 'signed-in',
  at,
  lastAt: at,
  count: 1,
  person: { userId: `usr_${'1'.padStart(26, '0')}` as UserId, name: 'Ines Vardale', email: 'ines@lindmoor.example' },
  unknownAddress: null,
  network: '192.0.2.0/24',
};
const failed: SecurityEntry = {
  ...signedIn,
  id: idOf('2'),
  kind: 'sign-in-failed',
  count: 7,
  person: null,
  unknownAddress: '0123456789abcdef',
};

function show(list: Handlers['GET /api/auth/security-log']) {
  const api = installFakeApi({ 'GET /api/auth/security-log': list! });
  renderInOrganisation(<InstallationPage />, {
    path: '/:locale/settings/org_admin',
    at: '/en/settings/org_admin?tab=security',
  });
  return api;
}

it('lists who signed in from which network, and counts failures', async () => {
  show(() => ({ items: [signedIn, failed, { ...failed, id: idOf('3'), unknownAddress: null }], nextCursor: null }));
  expect(await screen.findByText('Ines Vardale')).toBeInTheDocument();
  expect(screen.getByText('ines@lindmoor.example')).toBeInTheDocument();
  expect(screen.getByRole('cell', { name: 'Signed in' })).toBeInTheDocument();
  expect(screen.getAllByText('192.0.2.0/24')).toHaveLength(3);
  expect(screen.getByText('Unknown email address')).toBeInTheDocument();
  expect(screen.getByText('0123456789abcdef')).toBeInTheDocument();
  expect(screen.getByText('Other unknown email addresses')).toBeInTheDocument();
  expect(screen.getAllByRole('cell', { name: '7' })).toHaveLength(2);
});

it('filters by kind, and names the filter to clear when nothing matches', async () => {
  show(({ query }) => ({ items: query['kind'] === 'sign-in-failed' ? [] : [signedIn], nextCursor: null }));
  await userEvent.click(await screen.findByRole('button', { name: 'Sign-in failed' }));
  expect(await screen.findByText('No events of this kind')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Sign-in failed' }));
  expect(await screen.findByText('Ines Vardale')).toBeInTheDocument();
});

it('says what will appear while there is nothing', async () => {
  show(() => ({ items: [], nextCursor: null }));
  expect(await screen.findByText('No security events yet')).toBeInTheDocument();
});

it('says so when the log cannot be loaded', async () => {
  show(() => refuse('platform.internal'));
  expect(await screen.findByText("The security log couldn't be loaded")).toBeInTheDocument();
});
