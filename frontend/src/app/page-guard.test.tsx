import { expect, it } from '@jest/globals';
import { signedInPages } from '@parley/contracts/pages';
import { screen } from '@testing-library/react';
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
