import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { NameRevealId, PersonUse } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { csvOf } from '../../lib/csv.ts';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { csvRowOf } from './people-csv.ts';
import { UserMonitoringPage } from './user-monitoring-page.tsx';

const atlas = `prv_${'0'.repeat(26)}/atlas-70b`;
const revealId = `nrv_${'0'.repeat(26)}` as NameRevealId;
const until = '2026-11-22T10:42:00.000Z';
const used = {
  attempts: 540,
  unpricedAttempts: 0,
  inputTokens: 4_000_000,
  outputTokens: 980_000,
  costMicros: 25_000_000,
};
const person = (start: string, more: Partial<PersonUse> = {}): PersonUse => ({
  id: start.toLowerCase().padEnd(24, '0'),
  pseudonym: `P-${start}`,
  month: '2026-11',
  ...used,
  lastDay: '2026-11-18',
  name: null,
  ...more,
});
const listed = [person('7C19'), person('3F81'), person('A204')];
const list = (items: PersonUse[], more: object = {}) => ({
  items,
  nextCursor: null,
  total: used,
  months: [{ month: '2026-11', people: 391 as number | null }],
  currency: 'EUR',
  timeZone: 'Europe/Oslo',
  isCut: false,
  ...more,
});
const hours = Array.from({ length: 7 }, (_, day) =>
  Array.from({ length: 24 }, (_, hour) => (day === 1 && hour === 9 ? 31 : 0)),
);
const one = (shown: PersonUse) => ({
  person: shown,
  hours,
  models: [
    { model: atlas, ...used, attempts: 500, costMicros: 20_000_000 },
    { model: 'other', ...used, attempts: 40, costMicros: 5_000_000 },
  ],
  currency: 'EUR',
});

function show(handlers: Handlers = {}, { role = 'owner' as OrgRole, search = '' } = {}) {
  const asked: Record<string, string>[] = [];
  const api = installFakeApi({
    'GET /api/monitoring/people': ({ query }) => {
      asked.push(query as never);
      return list(listed);
    },
    'GET /api/monitoring/people/:personId': () => one(listed[0]!),
    ...handlers,
  });
  const page = { path: '/:locale/settings/user-monitoring', at: `/en/settings/user-monitoring${search}`, role };
  return { api, asked, ...renderInOrganisation(<UserMonitoringPage />, page) };
}

describe('the list', () => {
  it('shows pseudonyms with what they used', async () => {
    show();
    const rows = (await screen.findAllByRole('row')).slice(1).map(({ textContent }) => textContent);
    expect(rows).toEqual([
      'P-7C195404.98M€25.00Nov 18, 2026',
      'P-3F815404.98M€25.00Nov 18, 2026',
      'P-A2045404.98M€25.00Nov 18, 2026',
    ]);
    expect(screen.getByText('391 people used it')).toBeInTheDocument();
  });

  it('asks the server for another time, order and filter', async () => {
    const { asked } = show();
    await screen.findByText('P-7C19');
    await userEvent.click(screen.getByRole('button', { name: '7 days' }));
    await userEvent.click(screen.getByRole('button', { name: 'Tokens' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Pseudonym' }), '7c');
    await waitFor(() => expect(asked.at(-1)).toMatchObject({ span: 'week', sort: 'tokens', text: '7c' }));
  });

  it('opens nobody for readers who may not see what one person uses when', async () => {
    show({}, { role: 'analyst', search: `?person=${listed[0]!.id}` });
    await screen.findByText('P-7C19');
    expect(screen.queryByRole('button', { name: 'P-7C19' })).toBeNull();
    expect(screen.queryByText('Spent')).toBeNull();
  });

  it('of fewer than five shows what they used together, and nobody', async () => {
    show({ 'GET /api/monitoring/people': () => list([], { months: [{ month: '2026-11', people: null }] }) });
    expect(await screen.findByText('Fewer than 5 people were active')).toBeInTheDocument();
    expect(screen.getByText('€25.00')).toBeInTheDocument();
    expect(screen.queryByRole('row')).toBeNull();
  });

  it('says of two months how many people each had, and that too few stand in the totals only', async () => {
    const months = [
      { month: '2026-11', people: null },
      { month: '2026-10', people: 380 },
    ];
    show({ 'GET /api/monitoring/people': () => list([person('A204', { month: '2026-10' })], { months }) });
    expect(await screen.findByText('November: fewer than 5 people, October: 380 people')).toBeInTheDocument();
    expect(screen.getByRole('row', { name: /P-A204 October/ })).toBeInTheDocument();
    expect(screen.getByText(/In November fewer than 5 people/)).toBeInTheDocument();
  });

  it('is empty, has no match, and fails, each by itself', async () => {
    const nothing = Object.fromEntries(Object.keys(used).map((key) => [key, 0]));
    const { unmount } = show({ 'GET /api/monitoring/people': () => list([], { total: nothing, months: [] }) });
    expect(await screen.findByText('Nobody has used it in this time')).toBeInTheDocument();
    unmount();
    const second = show({ 'GET /api/monitoring/people': () => list([]) }, { search: '?text=zz' });
    expect(await screen.findByText('No pseudonym matches')).toBeInTheDocument();
    second.unmount();
    show({ 'GET /api/monitoring/people': () => refuse('platform.internal') });
    expect(await screen.findByText('What people used could not be loaded')).toBeInTheDocument();
  });

  it('as a file has pseudonyms only, and no formula', async () => {
    const shown = person('7C19', { name: { revealId, name: 'Noor Halvani', until }, pseudonym: '=P-7C19' });
    const text = await csvOf([csvRowOf(shown, 'EUR')]);
    expect(text.split('\r\n')[1]).toBe('"\'=P-7C19",2026-11,540,0,4000000,980000,25000000,EUR,2026-11-18');
  });
});

describe('a person', () => {
  const open = async () => userEvent.click(await screen.findByRole('button', { name: 'P-7C19' }));
  const panel = () => screen.findByRole('complementary', { name: 'P-7C19' });

  it('has hours, as a map and as a table, and models with what each has cost', async () => {
    show();
    await open();
    const inside = within(await panel());
    expect(inside.getByRole('img', { name: 'Tuesday, 09:00: 31 answers' })).toBeInTheDocument();
    await userEvent.click(inside.getByRole('button', { name: 'As table' }));
    expect(inside.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'HourMonTueWedThuFriSatSun',
      '09:0031',
    ]);
    expect(inside.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'atlas-70b80%€20.00',
      'All others20%€5.00',
    ]);
  });

  it('is named for a reason and an end, and hidden again', async () => {
    let name: PersonUse['name'] = null;
    const { api } = show({
      'GET /api/monitoring/people/:personId': () => one(person('7C19', { name })),
      'POST /api/monitoring/name-reveals': () => (name = { revealId, name: 'Noor Halvani', until }),
      'DELETE /api/monitoring/name-reveals/:revealId': () => void (name = null),
    });
    await open();
    await userEvent.click(await screen.findByRole('button', { name: 'Ask for the name' }));
    const send = await screen.findByRole('button', { name: 'Show the name and tell the person' });
    await userEvent.click(send);
    expect(await screen.findByText('Say why, in a few words.')).toBeInTheDocument();
    await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Spend doubled');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Ends after' }), '1 hour');
    await userEvent.click(send);
    expect(await screen.findByText('Noor Halvani')).toBeInTheDocument();
    expect(api.calls.find(({ route }) => route.startsWith('POST'))?.body).toMatchObject({
      personId: listed[0]!.id,
      reason: 'Spend doubled',
      hours: 1,
    });
    await userEvent.click(screen.getByRole('button', { name: 'Hide the name now' }));
    expect(await screen.findByRole('button', { name: 'Ask for the name' })).toBeInTheDocument();
  });

  it('whom nobody finds any more is said', async () => {
    show({ 'GET /api/monitoring/people/:personId': () => refuse('monitoring.person-not-found') });
    await open();
    expect(await screen.findByText(/Nobody has this pseudonym in this time/)).toBeInTheDocument();
  });
});
