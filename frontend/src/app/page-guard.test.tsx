import { describe, expect, it } from '@jest/globals';
import { signedInPages } from '@parley/contracts/pages';
import { screen } from '@testing-library/react';
import { installFakeApi, refuse } from '../testing/fake-api.ts';
import { renderInOrganisation } from '../testing/render.tsx';
import { PageGuard } from './page-guard.tsx';

const documents = signedInPages.find(({ feature }) => feature === 'documents');
if (!documents) throw new Error('the table has no page of documents');

const show = (role: 'guest' | 'member') =>
  renderInOrganisation(<PageGuard page={documents}>the documents</PageGuard>, {
    path: '/:locale/*',
    at: '/en/x',
    role,
  });

it('keeps a page from whoever lacks its right, and says who can give it', () => {
  show('guest');
  expect(screen.getByRole('heading', { name: 'Data connections' })).toBeInTheDocument();
  expect(screen.getByText(/An owner or admin of the organisation can give it to you/)).toBeInTheDocument();
  expect(screen.queryByText('the documents')).toBeNull();
});

it('shows it to whoever has the right', () => {
  show('member');
  expect(screen.getByText('the documents')).toBeInTheDocument();
});

it('keeps the pages of the installation from whoever does not run it', () => {
  const installation = signedInPages.find(({ area }) => area === 'platform')!;
  renderInOrganisation(<PageGuard page={installation}>the mails</PageGuard>, { path: '/:locale/*', at: '/en/x' });
  expect(screen.getByText(/its platform admins/)).toBeInTheDocument();
  expect(screen.queryByText('the mails')).toBeNull();
});

const suspension = { reason: 'Unpaid since May', by: 'Greta Solvain', at: '2026-11-21T10:41:00.000Z' };
const showSuspended = (path: string, isPlatformAdmin = false) => {
  const page = signedInPages.find((one) => one.path === path)!;
  const guarded = <PageGuard page={page}>what it holds</PageGuard>;
  renderInOrganisation(guarded, { path: '/:locale/*', at: '/en/x', suspension, isPlatformAdmin });
};

describe('in an organisation that is suspended', () => {
  it.each(['chat', 'settings/data-connections', 'settings/permissions', 'settings/org_admin/:orgId'])(
    '%s says why and whom to ask instead of what it holds',
    async (path) => {
      showSuspended(path);
      expect(await screen.findByText('Lindmoor Energy is suspended')).toBeInTheDocument();
      expect(screen.getByRole('alert')).toHaveTextContent(/Greta Solvain.*Unpaid since May.*Ask Greta Solvain/);
      expect(screen.queryByText('what it holds')).toBeNull();
      expect(screen.queryByRole('link', { name: 'Open it as platform admin' })).toBeNull();
    },
  );

  it('a platform admin is led to where it is resumed', async () => {
    showSuspended('chat', true);
    expect(await screen.findByRole('link', { name: 'Open it as platform admin' })).toBeInTheDocument();
  });

  it.each(['settings', 'settings/orgs'])('%s goes on as ever', (path) => {
    showSuspended(path);
    expect(screen.getByText('what it holds')).toBeInTheDocument();
  });

  it('its page of platform admins goes on for them', () => {
    showSuspended('settings/org_admin/:orgId', true);
    expect(screen.getByText('what it holds')).toBeInTheDocument();
  });
});

describe('the page of error tests', () => {
  const page = signedInPages.find(({ feature }) => feature === 'error-test')!;
  const showTo = (answer: () => ReturnType<typeof refuse> | { items: []; sink: 'collector' }) => {
    installFakeApi({ 'GET /api/monitoring/error-tests': answer });
    renderInOrganisation(<PageGuard page={page}>the tests</PageGuard>, { path: '/:locale/*', at: '/en/sentry-test' });
  };

  it('is there for whoever may make errors', async () => {
    showTo(() => ({ items: [], sink: 'collector' }));
    expect(await screen.findByText('the tests')).toBeInTheDocument();
  });

  it('is not found by anybody else', async () => {
    showTo(() => refuse('platform.not-found'));
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument();
    expect(screen.queryByText('the tests')).toBeNull();
  });
});
