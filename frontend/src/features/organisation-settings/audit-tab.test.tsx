import { expect, it } from '@jest/globals';
import type { AuditEntry } from '@parley/contracts';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { OrganisationSettingsPage } from './organisation-settings-page.tsx';

const entry: AuditEntry = {
  id: 'aud_01M7Z6X0BT7J6QPJC5FQE3HR01' as AuditEntry['id'],
  at: '2026-11-21T10:42:00.000Z',
  actor: { userId: sampleIds.user, name: 'Ines Vardale' },
  act: 'member.role-changed',
  target: { id: 'usr_1', name: 'Noor Halvani' },
  before: { role: 'member' },
  after: { role: 'guest' },
  reason: 'Moved to another team',
};

function show(items: AuditEntry[]) {
  const asked: unknown[] = [];
  const handlers: Handlers = {
    'GET /api/org/audit': ({ query }) => {
      asked.push(query.act);
      return { items, nextCursor: null };
    },
  };
  installFakeApi(handlers);
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=audit`,
  });
  return asked;
}

it('says who did what to whom, what changed and why', async () => {
  show([entry]);
  for (const text of ['Noor Halvani', 'Ines Vardale', 'role: member → guest', 'Moved to another team'])
    expect(await screen.findByText(text)).toBeInTheDocument();
});

it('shows one kind of act when it is asked for', async () => {
  const asked = show([entry]);
  await screen.findByText('Noor Halvani');
  await userEvent.click(screen.getByRole('button', { name: 'Person removed' }));
  expect(await screen.findByText('Noor Halvani')).toBeInTheDocument();
  expect(asked).toContain('member.removed');
});

it('says what will stand there while there is nothing', async () => {
  show([]);
  expect(await screen.findByText('Nothing is written down yet')).toBeInTheDocument();
});
