import { describe, expect, it, jest } from '@jest/globals';
import type { OrganisationOverview, ServiceHealth, ServiceLetter } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { ServiceHealthPage } from './service-health-page.tsx';

const orgId = `org_${'1'.padStart(26, '0')}` as OrgId;
const other = `org_${'2'.padStart(26, '0')}` as OrgId;
const healthy = {
  readers: [{ topic: 'parley.chat.events.v1', behind: 0 }],
  outbox: { waiting: 0, oldestMs: 300 },
  parkedKeys: 0,
  letterCount: 0,
};
const letterOf = (id: string, parts: Partial<ServiceLetter> = {}): ServiceLetter => ({
  id,
  service: 'org',
  consumer: 'release-seat',
  type: 'user.erased.v1',
  eventId: `evt_${id}`,
  reason: 'failed',
  cause: { name: 'TypeError', code: 'E_SEATS', place: 'services/org/src/seats.ts:12' },
  attempts: 4,
  at: '2026-11-21T10:24:00.000Z',
  waiting: 3,
  isRetrying: false,
  isOfAll: false,
  ...parts,
});
const health = (parts: Partial<ServiceHealth> = {}): ServiceHealth => ({
  at: '2026-11-21T10:42:00.000Z',
  organisation: { id: orgId, name: 'Fennick Clinics' },
  services: [
    { service: 'org', events: { ...healthy, parkedKeys: 1, letterCount: 2 }, jobs: [] },
    { service: 'chat', events: { ...healthy, readers: [{ topic: 'parley.org.events.v1', behind: 902 }] }, jobs: [] },
  ],
  parkedElsewhere: [],
  running: 4,
  queued: 9,
  slotsOfOnly: null,
  sockets: 212,
  providers: [{ id: 'atlas', attempts: 2_760, failed: 11, cut: 0 }],
  letters: [],
  ...parts,
});
const overview = (id: OrgId, name: string): OrganisationOverview => ({
  id,
  name,
  slug: name.toLowerCase(),
  status: 'active',
  approval: 'approved',
  memberCount: 1,
  seatLimit: null,
  createdAt: '2026-11-01T10:00:00.000Z',
  lastActivityAt: '2026-11-21T10:00:00.000Z',
});
const dryRun = 'POST /api/monitoring/all-organisations/:orgId/dead-letters/dry-run';
const replay = 'POST /api/monitoring/all-organisations/:orgId/dead-letters/replay';

function show(answer: () => ServiceHealth | ReturnType<typeof refuse>, handlers: Handlers = {}) {
  const api = installFakeApi({
    'GET /api/monitoring/all-organisations': () => ({
      items: [overview(orgId, 'Fennick Clinics'), overview(other, 'Lindmoor')],
      nextCursor: null,
    }),
    'GET /api/monitoring/all-organisations/:orgId/service-health': answer,
    ...handlers,
  });
  renderInOrganisation(<ServiceHealthPage />, {
    path: '/:locale/settings/org_admin/monitoring/:orgId',
    at: `/en/settings/org_admin/monitoring/${orgId}`,
  });
  return api;
}

describe('service health', () => {
  it('adds up what the services tell, and names who is late', async () => {
    show(() => health());
    expect(await screen.findByText('most in chat')).toBeInTheDocument();
    expect(screen.getByText('11 of 2,760 in 1 h')).toBeInTheDocument();
    expect(screen.getByText('212')).toBeInTheDocument();
    const readers = screen.getByRole('region', { name: 'Readers of events' });
    expect(within(readers).getByRole('row', { name: /chat .*902 Late/ })).toBeInTheDocument();
    expect(within(readers).getByRole('row', { name: /org .*0 In time/ })).toBeInTheDocument();
    expect(screen.getByText('Every event was handled')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Dry run' })).toBeNull();
  });

  it('names the slots of answers where there is only one organisation', async () => {
    show(() => health({ slotsOfOnly: { all: 200, ofFlow: 100, ofPerson: 20 } }));
    expect(await screen.findByText(/can have 100 of 200 answers at the same time, and one person 20/)).toBeVisible();
  });

  it('says which service does not answer', async () => {
    show(() => health({ services: [{ service: 'org', events: null, jobs: null }] }));
    expect(await screen.findByText(/The service org does not answer/)).toBeInTheDocument();
    expect(screen.getByText('Does not answer')).toBeInTheDocument();
    const jobs = screen.getByRole('region', { name: 'Jobs' });
    expect(within(jobs).getByRole('row', { name: /org – – – – Not responding/ })).toBeInTheDocument();
  });

  it('shows another organisation', async () => {
    const { calls } = show(() => health());
    const choice = await screen.findByRole('combobox', { name: 'Organisation' });
    await within(choice).findByRole('option', { name: 'Lindmoor' });
    await userEvent.selectOptions(choice, 'Lindmoor');
    await waitFor(() => expect(choice).toHaveValue(other));
    expect(calls.some(({ route }) => route.endsWith('service-health'))).toBe(true);
  });

  it('says how many answers were cut, which are no errors of a provider', async () => {
    show(() => health({ providers: [{ id: 'atlas', attempts: 8, failed: 0, cut: 3 }] }));
    expect(await screen.findByText('0 of 8 in 1 h · 3 cut')).toBeInTheDocument();
    expect(screen.getByText('0 %')).toBeInTheDocument();
  });

  it('says so when there is no such organisation', async () => {
    show(() => refuse('org.organisation-not-found'));
    expect(await screen.findByText('The service health could not be loaded')).toBeInTheDocument();
  });
});

it('keeps saying what failed, and asks again when it is told to', async () => {
  jest.useFakeTimers({ advanceTimers: true });
  try {
    let isBack = false;
    const { calls } = show(() => (isBack ? health() : refuse('org.organisation-not-found')));
    const failed = await screen.findByText('The service health could not be loaded');
    const asked = () => calls.filter(({ route }) => route.endsWith('service-health')).length;
    const before = asked();
    await act(() => jest.advanceTimersByTimeAsync(30_000));
    expect(failed).toBeInTheDocument();
    expect(asked()).toBe(before);
    isBack = true;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Readers of events')).toBeInTheDocument();
  } finally {
    jest.useRealTimers();
  }
});

describe('dead letters', () => {
  const letters = [letterOf('a'), letterOf('b', { service: 'chat' }), letterOf('c', { isRetrying: true })];

  it('are handled again only after a dry run, and only those that would pass and are chosen', async () => {
    const asked: unknown[] = [];
    const { calls } = show(() => health({ letters }), {
      [dryRun]: ({ body }: { body: { ids: string[] } }) => ({
        items: body.ids.map((id) =>
          id === 'a'
            ? { id, outcome: 'passes', cause: null }
            : { id, outcome: 'fails', cause: { name: 'Problem', code: 'org.last-owner', place: null } },
        ),
      }),
      [replay]: ({ body }: { body: unknown }) => {
        asked.push(body);
        return { count: 1 };
      },
    });
    expect(await screen.findByText('Is handled again')).toBeInTheDocument();
    expect(screen.getAllByText('TypeError E_SEATS')).toHaveLength(3);
    const again = screen.getByRole('button', { name: 'Replay 0' });
    await userEvent.click(again);
    expect(asked).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Dry run' }));
    expect(await screen.findByText('Would pass')).toBeInTheDocument();
    expect(screen.getByText('Would fail again')).toBeInTheDocument();
    expect(screen.getByText('Problem org.last-owner')).toBeInTheDocument();
    expect(calls.filter(({ route }) => route === dryRun).map(({ body }) => body)).toEqual([
      { service: 'org', ids: ['a'] },
      { service: 'chat', ids: ['b'] },
    ]);
    const [box] = screen.getAllByRole('checkbox');
    await userEvent.click(box!);
    expect(screen.getByRole('button', { name: 'Replay 0' })).toHaveAttribute('aria-disabled', 'true');
    await userEvent.click(box!);
    await userEvent.click(screen.getByRole('button', { name: 'Replay 1' }));
    expect(await screen.findByText('1 event is handled again')).toBeInTheDocument();
    expect(asked).toEqual([{ service: 'org', ids: ['a'] }]);
  });

  it('say so when a service does not answer', async () => {
    show(() => health({ letters }), { [dryRun]: () => refuse('platform.unavailable') });
    await userEvent.click(await screen.findByRole('button', { name: 'Dry run' }));
    expect(await screen.findByRole('alert')).toBeInTheDocument();
  });
});
