import { expect, it, jest } from '@jest/globals';
import type { AuditEntry } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { OrganisationSettingsPage } from './organisation-settings-page.tsx';

const entry: AuditEntry = {
  id: 'aud_01M7Z6X0BT7J6QPJC5FQE3HR01' as AuditEntry['id'],
  at: '2026-11-21T10:42:00.000Z',
  actor: { userId: sampleIds.user, name: 'Ines Vardale', isPlatformAdmin: false },
  act: 'member.role-changed',
  target: { id: 'usr_1', name: 'Noor Halvani' },
  before: { role: 'member' },
  after: { role: 'guest' },
  reason: 'Moved to another team',
  count: 1,
};

function show(items: AuditEntry[], perPage = items.length) {
  const asked: unknown[] = [];
  const handlers: Handlers = {
    'GET /api/org/audit': ({ query: { limit: _limit, cursor, ...filters } }) => {
      asked.push(filters);
      const from = Number(cursor ?? 0);
      const next = from + perPage;
      return { items: items.slice(from, next), nextCursor: next < items.length ? String(next) : null };
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

it('shows one kind of act, one person, or one thing, when it is asked for', async () => {
  const asked = show([entry]);
  await userEvent.click(await screen.findByRole('button', { name: 'What' }));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Person removed' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ act: 'member.removed' }));
  await userEvent.click(await screen.findByTitle('Only acts of Ines Vardale'));
  await waitFor(() => expect(asked.at(-1)).toEqual({ actor: sampleIds.user }));
  await userEvent.click(await screen.findByTitle('Only Noor Halvani'));
  await waitFor(() => expect(asked.at(-1)).toEqual({ target: 'usr_1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Noor Halvani, remove this filter' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({}));
});

it('says how often something was refused', async () => {
  show([
    { ...entry, act: 'access.denied', target: { id: 'GET /x', name: 'GET /x' }, before: null, after: null, count: 12 },
  ]);
  expect(await screen.findByText('Access refused')).toHaveTextContent('Access refused × 12');
});

it('saves all that the filter leaves, page by page, as a file that is no formula', async () => {
  const saved: string[] = [];
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const blobs: Blob[] = [];
  URL.createObjectURL = (blob: Blob) => `blob:${blobs.push(blob)}`;
  URL.revokeObjectURL = () => undefined;
  show(
    [
      { ...entry, reason: '=1+1' },
      { ...entry, id: entry.id },
    ],
    1,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Save as CSV' }));
  await waitFor(() => expect(saved).toEqual(['audit-lindmoor.csv']));
  const text = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.readAsText(blobs[0]!);
  });
  const lines = text.split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[1]).toContain("'=1+1");
});

it('says what will stand there while there is nothing', async () => {
  show([]);
  expect(await screen.findByText('Nothing is written down yet')).toBeInTheDocument();
});
