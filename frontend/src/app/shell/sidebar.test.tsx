import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { OrgRole } from '@parley/contracts/permissions';
import { PendingSendsProvider } from '../../features/conversations/state/pending-sends-context.tsx';
import { installFakeApi, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { Sidebar } from './sidebar.tsx';

function show(
  handlers: Handlers,
  { role = 'owner', isCollapsed = false }: { role?: OrgRole; isCollapsed?: boolean } = {},
) {
  const api = installFakeApi({
    'GET /api/chat/conversations': () => ({ items: [], nextCursor: null }),
    'GET /api/billing/budget-request-count': () => ({ waiting: 2 }),
    'GET /api/chat/feedback': () => ({ items: [], nextCursor: null, open: 120 }),
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <Sidebar isCollapsed={isCollapsed} onToggle={() => undefined} onSearch={() => undefined} />
    </PendingSendsProvider>,
    { path: '/:locale/*', at: '/en/settings', role },
  );
  return api;
}

it('counts what waits beside Billing and Feedback', async () => {
  show({});
  expect(await screen.findByRole('link', { name: 'Billing 2 waiting' })).toBeInTheDocument();
  expect(await screen.findByRole('link', { name: 'Feedback 99+ waiting' })).toBeInTheDocument();
});

it('shows no count in the sidebar where nothing waits', async () => {
  const api = show({
    'GET /api/billing/budget-request-count': () => ({ waiting: 0 }),
    'GET /api/chat/feedback': () => ({ items: [], nextCursor: null, open: 0 }),
  });
  expect(await screen.findByRole('link', { name: 'Billing' })).toBeInTheDocument();
  await expect(screen.findByRole('link', { name: 'Feedback' })).resolves.toBeInTheDocument();
  expect(api.calls.map(({ route }) => route)).toContain('GET /api/billing/budget-request-count');
});

it('names what waits in the label of an icon in the collapsed sidebar', async () => {
  show({}, { isCollapsed: true });
  expect(await screen.findByRole('link', { name: 'Billing · 2 waiting' })).toBeInTheDocument();
});

it('requests no counts for people who cannot answer requests or cases', async () => {
  const api = show({}, { role: 'member' });
  expect(await screen.findByRole('link', { name: 'Profile and security' })).toBeInTheDocument();
  const routes = api.calls.map(({ route }) => route);
  expect(routes).not.toContain('GET /api/billing/budget-request-count');
  expect(routes).not.toContain('GET /api/chat/feedback');
});
