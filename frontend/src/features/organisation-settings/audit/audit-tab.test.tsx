import { expect, it, jest } from '@jest/globals';
import type { AuditChange, AuditEntry, AuditValue } from '@parley/contracts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleIds, sampleMember } from '../../../testing/samples.ts';
import { OrganisationSettingsPage } from '../organisation-settings-page.tsx';

const role = (id: string): AuditValue => ({ kind: 'refs', refs: [{ of: 'role', id, name: null }] });
const entry: AuditEntry = {
  id: 'aud_01M7Z6X0BT7J6QPJC5FQE3HR01' as AuditEntry['id'],
  at: '2026-11-21T10:42:00.000Z',
  actor: { userId: sampleIds.user, name: 'Ines Vardale', isPlatformAdmin: false },
  act: 'member.role-changed',
  target: { of: 'person', id: 'usr_1', name: 'Noor Halvani' },
  changes: [{ field: 'role', before: role('member'), after: role('guest') }],
  reason: 'Moved to another team',
  count: 1,
};

const tomas = sampleMember({ name: 'Tomas Linde' });

function show(items: AuditEntry[], perPage = items.length, filter = '') {
  const asked: unknown[] = [];
  const handlers: Handlers = {
    'GET /api/org/audit': ({ query: { limit: _limit, cursor, ...filters } }) => {
      asked.push(filters);
      const from = Number(cursor ?? 0);
      const next = from + perPage;
      return { items: items.slice(from, next), nextCursor: next < items.length ? String(next) : null };
    },
  };
  handlers['GET /api/org/members'] = ({ query: { text } }) => ({
    items: 'tomas linde'.startsWith(text ?? '') ? [tomas] : [],
    nextCursor: null,
  });
  installFakeApi(handlers);
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=audit${filter}`,
  });
  return asked;
}

it('says who did what to whom, what changed and, when it is opened, why', async () => {
  show([entry]);
  for (const text of ['Noor Halvani', 'Ines Vardale', 'Role: Member → Guest'])
    expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByText(/Moved to another team/)).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Role changed' }));
  expect(await screen.findByText('Reason: “Moved to another team”')).toBeInTheDocument();
  for (const text of ['Before: Member', 'After: Guest']) expect(screen.getByText(text)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Role changed', expanded: true }));
  expect(screen.queryByText('Before: Member')).not.toBeInTheDocument();
});

const money = (amount: number, currency: string | null = 'EUR') =>
  ({ kind: 'money', amount, unit: 'micro', currency }) as const;
const group = (id: string, name: string | null) => ({ of: 'group', id, name }) as const;

it.each<[string, AuditChange, string]>([
  [
    'amounts of money',
    { field: 'hardLimit', before: money(1_100_000), after: money(5_100_000) },
    'Hard limit: €1.10 → €5.10',
  ],
  [
    'amounts of 0.3.0',
    { field: 'hardLimit', before: money(1_100_000, null), after: { kind: 'unlimited' } },
    'Hard limit: 1.1 → No limit',
  ],
  [
    'models with what they read and accept',
    {
      field: 'models',
      before: { kind: 'models', models: [{ name: 'atlas', tokens: null, images: true }] },
      after: { kind: 'models', models: [{ name: 'atlas', tokens: 128_000, images: false }] },
    },
    'Models: \u2066atlas\u2069 (accepts images) → \u2066atlas\u2069 (context length: 128,000, doesn’t accept images)',
  ],
  [
    'models of which only the name is known',
    {
      field: 'models',
      before: { kind: 'texts', texts: ['atlas'] },
      after: { kind: 'models', models: [{ name: 'boreas', tokens: null, images: null }] },
    },
    'Models: atlas → boreas',
  ],
  [
    'events by their group or, of a part of one, by their type',
    {
      field: 'eventTypes',
      before: { kind: 'texts', texts: ['generation.*', 'feedback.*'] },
      after: { kind: 'texts', texts: ['generation.*', 'feedback.*', 'answer.*'] },
    },
    'Events: \u2066feedback.*\u2069 → Feedback and curated answers',
  ],
  ['a service', { field: 'service', after: { kind: 'code', code: 'auth' } }, 'Service: Sign-in'],
  ['a service of earlier entries', { field: 'service', after: { kind: 'text', text: 'auth' } }, 'Service: Sign-in'],
  [
    'a product of earlier entries',
    { field: 'source', after: { kind: 'text', text: 'open-webui' } },
    'Source: Open WebUI',
  ],
  [
    'minor units',
    { field: 'amount', after: { kind: 'money', amount: 59_040, unit: 'minor', currency: 'EUR' } },
    'Amount: €590.40',
  ],
  ['tokens', { field: 'softLimit', after: { kind: 'tokens', count: 1_500_000 } }, 'Soft limit: 1,500,000 tokens'],
  ['numbers', { field: 'testsToPass', before: null, after: { kind: 'count', count: 19 } }, 'Tests to pass: None → 19'],
  [
    'one of a few',
    { field: 'state', before: { kind: 'code', code: 'new' }, after: { kind: 'code', code: 'wont-fix' } },
    'Status: New → Won’t fix',
  ],
  [
    'on and off',
    { field: 'isOn', before: { kind: 'flag', isOn: true }, after: { kind: 'flag', isOn: false } },
    'Delivery: On → Off',
  ],
  ['dates', { field: 'expires', after: { kind: 'time', at: '2027-02-21T12:00:00.000Z' } }, 'Expires: Feb 21, 2027'],
  [
    'languages',
    { field: 'language', before: { kind: 'language', locale: 'en' }, after: { kind: 'language', locale: 'ar' } },
    'Language: English → Arabic',
  ],
  [
    'an audience',
    {
      field: 'readers',
      before: { kind: 'everybody' },
      after: { kind: 'refs', refs: [group('grp_1', 'Night shift'), { of: 'role', id: 'analyst', name: null }] },
    },
    'Access: Everyone → Night shift and Analyst',
  ],
  [
    'of a set what went and what came',
    {
      field: 'groups',
      before: { kind: 'refs', refs: [group('grp_1', 'A'), group('grp_2', 'B')] },
      after: { kind: 'refs', refs: [group('grp_2', 'B'), group('grp_3', null)] },
    },
    'Groups: A → Deleted group',
  ],
  [
    'permissions',
    {
      field: 'permissions',
      before: { kind: 'permissions', permissions: ['chat:read'] },
      after: { kind: 'permissions', permissions: ['chat:read', 'audit:read'] },
    },
    'Permissions: Read the audit log',
  ],
])('writes %s as people read them', async (_what, change, line) => {
  show([{ ...entry, changes: [change] }]);
  expect(await screen.findByText(line)).toBeInTheDocument();
});

it('opens an entry by a click anywhere in its row, but not by one on a name', async () => {
  show([entry]);
  await userEvent.click(await screen.findByText('Role: Member → Guest'));
  expect(await screen.findByText('Reason: “Moved to another team”')).toBeInTheDocument();
  await userEvent.click(screen.getByText('Done'));
  expect(screen.queryByText(/Moved to another team/)).not.toBeInTheDocument();
  await userEvent.click(screen.getByText('Noor Halvani'));
  expect(screen.queryByText(/Moved to another team/)).not.toBeInTheDocument();
});

it('calls what goes by no name by what it is, and shows no id', async () => {
  show([
    { ...entry, act: 'order.placed', target: { of: 'order', id: 'ord_01', name: null }, changes: [], reason: null },
  ]);
  expect(await screen.findByText('Seat order')).toBeInTheDocument();
  expect(document.body).not.toHaveTextContent('ord_01');
});

it('narrows by act, person and item together', async () => {
  const asked = show([entry]);
  await userEvent.click(await screen.findByRole('button', { name: 'Action' }));
  await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Person removed' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ act: 'member.removed' }));
  await userEvent.click(await screen.findByTitle('Only acts of Ines Vardale'));
  await waitFor(() => expect(asked.at(-1)).toEqual({ act: 'member.removed', actor: sampleIds.user }));
  await userEvent.click(await screen.findByTitle('Only Noor Halvani'));
  const all = { act: 'member.removed', actor: sampleIds.user, target: 'usr_1' };
  await waitFor(() => expect(asked.at(-1)).toEqual(all));
  await userEvent.click(screen.getByRole('button', { name: 'Noor Halvani, remove this filter' }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ act: 'member.removed', actor: sampleIds.user }));
});

it('a text search replaces the filter by item, and the other way round', async () => {
  const asked = show([entry], 1, '&target=usr_1');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Person or item' }), 'noor');
  await waitFor(() => expect(asked.at(-1)).toEqual({ text: 'noor' }));
  await userEvent.click(await screen.findByTitle('Only Noor Halvani'));
  await waitFor(() => expect(asked.at(-1)).toEqual({ target: 'usr_1' }));
});

it('narrows to whole days of the organisation’s time zone', async () => {
  const asked = show([entry]);
  const { change } = fireEvent;
  change(await screen.findByLabelText('From'), { target: { value: '2026-11-20' } });
  await waitFor(() => expect(asked.at(-1)).toEqual({ from: '2026-11-19T23:00:00.000Z' }));
  change(await screen.findByLabelText('Until'), { target: { value: '2026-11-21' } });
  const span = { from: '2026-11-19T23:00:00.000Z', until: '2026-11-21T23:00:00.000Z' };
  await waitFor(() => expect(asked.at(-1)).toEqual(span));
});

it('narrows to a member who is found by the start of a name', async () => {
  const asked = show([entry]);
  await userEvent.click(await screen.findByRole('button', { name: 'Person' }));
  await userEvent.type(await screen.findByPlaceholderText('Start of a name'), 'tom');
  await userEvent.click(await screen.findByRole('menuitem', { name: /Tomas/ }));
  await waitFor(() => expect(asked.at(-1)).toEqual({ actor: tomas.userId }));
});

it('counts documents in one line', async () => {
  const target = { of: 'connection', id: 'con_1', name: 'Handbook' } as const;
  show([{ ...entry, act: 'documents.uploaded', target, changes: [], reason: null, count: 12 }]);
  expect(await screen.findByText('12 documents')).toBeInTheDocument();
});

it.each([
  ['actor', 'usr_1', 'Selected person'],
  ['target', 'bud_1', 'Selected item'],
])('names no id in the filter by %s while no entry is there', async (name, id, words) => {
  show([], 0, `&${name}=${id}`);
  expect(await screen.findByRole('button', { name: `${words}, remove this filter` })).toBeInTheDocument();
  expect(document.body).not.toHaveTextContent(id);
});

it('tells a failed import and its product from one that is done', async () => {
  const changes: AuditChange[] = [{ field: 'source', after: { kind: 'code', code: 'open-webui' } }];
  show([{ ...entry, act: 'import.failed', changes, reason: null }]);
  for (const text of ['Import of chats failed', 'Source: Open WebUI', 'Failed'])
    expect(await screen.findByText(text)).toBeInTheDocument();
  expect(screen.queryByText('Done')).not.toBeInTheDocument();
});

it('says how often something was refused', async () => {
  show([
    { ...entry, act: 'access.denied', target: { of: 'route', id: 'GET /x', name: 'GET /x' }, changes: [], count: 12 },
  ]);
  expect(await screen.findByText('Refused 12 times')).toBeInTheDocument();
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
  expect(lines[1]).toContain('"{""role"":[""member""]}","{""role"":[""guest""]}"');
});

it('says that there is no entry yet', async () => {
  show([]);
  expect(await screen.findByText('No entries yet')).toBeInTheDocument();
});
