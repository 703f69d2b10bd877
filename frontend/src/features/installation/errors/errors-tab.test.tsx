import { expect, it } from '@jest/globals';
import type { Answer } from '../../../lib/http.ts';
import type { ErrorGroup, ErrorSample } from '@parley/contracts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { ErrorsTab } from './errors-tab.tsx';

const at = '2026-11-21T10:41:00.000Z';
const id = 'ab'.repeat(12);
const group: ErrorGroup = {
  id,
  deployable: 'org',
  type: 'TypeError',
  code: null,
  place: { function: 'KeyRotation.step', file: 'services/org/src/key-rotation.ts', line: 118 },
  state: 'new',
  isTest: false,
  count: 214,
  hours: Array.from({ length: 24 }, (_, hour) => hour),
  people: 12,
  firstAt: at,
  lastAt: at,
  releases: ['parley@0.1.0'],
  resolved: null,
};
const sample: ErrorSample = {
  eventId: '1'.repeat(32),
  at,
  deployable: 'org',
  during: 'request',
  release: 'parley@0.1.0',
  route: '/api/org/groups',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  digest: null,
  consumer: null,
  process: 'org-7d9f-2xk',
  errorTestId: null,
  receivedAt: at,
  errors: [
    {
      type: 'TypeError',
      code: null,
      frames: [
        { function: 'KeyRotation.step', file: 'services/org/src/key-rotation.ts', line: 118, column: 1, isOwn: true },
        { function: '?', file: 'node:internal/timers', line: 594, column: 17, isOwn: false },
      ],
    },
  ],
};

type List = Answer<'GET /api/monitoring/collected-errors'>;
function show(list: Partial<List> = {}, { place = '', ...handlers }: Handlers & { place?: string } = {}) {
  const asked: unknown[] = [];
  const api = installFakeApi({
    'GET /api/monitoring/collected-errors': ({ query }) => {
      asked.push(query);
      const open = { groups: 9, events: 486 };
      return { items: [group], nextCursor: null, sink: 'collector', open, dropped: [], ...list };
    },
    'GET /api/monitoring/collected-errors/:errorGroupId': () => ({
      ...group,
      samples: [sample, { ...sample, eventId: '2'.repeat(32), traceId: 'f'.repeat(32) }],
    }),
    ...handlers,
  });
  renderInOrganisation(<ErrorsTab />, {
    path: '/:locale/settings/org_admin',
    at: `/en/settings/org_admin?tab=errors${place}`,
    isPlatformAdmin: true,
  });
  return { ...api, asked };
}
const open = async () => {
  await userEvent.click(await screen.findByRole('button', { name: /^TypeError/ }));
  return within(await screen.findByRole('complementary', { name: 'TypeError' }));
};

it('lists groups with their counts, and how much there is in all', async () => {
  show();
  expect(await screen.findByRole('cell', { name: '214' })).toBeInTheDocument();
  expect(screen.getByText('KeyRotation.step · key-rotation.ts:118')).toBeInTheDocument();
  expect(screen.getByText('9 groups, 486 events in 24 h')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Not resolved' })).toHaveAttribute('aria-pressed', 'true');
});

it('asks for resolved ones and for tests only where one wants them', async () => {
  const { asked } = show();
  await screen.findByRole('cell', { name: '214' });
  expect(asked.at(-1)).not.toHaveProperty('resolved');
  await userEvent.click(screen.getByRole('button', { name: 'Not resolved' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Show them' }));
  expect(asked.at(-1)).toMatchObject({ resolved: 'shown', tests: 'shown' });
});

it('shows the last reports of a group one at a time: stack, trace, where', async () => {
  show();
  const panel = await open();
  expect(await panel.findByText(sample.traceId!)).toBeInTheDocument();
  expect(panel.getByText('org-7d9f-2xk')).toBeInTheDocument();
  expect(panel.getByText('node:internal/timers:594')).toBeInTheDocument();
  await userEvent.click(panel.getByRole('button', { name: 'Older' }));
  expect(panel.getByText('f'.repeat(32))).toBeInTheDocument();
  expect(panel.getByText('Report 2 of the last 2')).toBeInTheDocument();
});

it('resolves a group', async () => {
  const route = 'PUT /api/monitoring/collected-errors/:errorGroupId/state';
  const { calls } = show({}, { [route]: () => ({ ...group, state: 'resolved' as const }) });
  await userEvent.click(await (await open()).findByRole('button', { name: 'Resolve' }));
  expect(calls.filter((call) => call.route === route).map(({ body }) => body)).toEqual([{ state: 'resolved' }]);
});

it('says what was not kept, and where errors go instead', async () => {
  show({ sink: 'dsn', dropped: [{ reason: 'size', count: 1_234, lastAt: at }] });
  expect(await screen.findByText('Larger than allowed: 1,234')).toBeInTheDocument();
  expect(screen.getByText(/PARLEY_SENTRY_DSN/)).toBeInTheDocument();
});

it('says that nothing fails, which is not the same as nothing that fits', async () => {
  show({ items: [] });
  expect(await screen.findByText('Nothing is failing')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Show them' })).toBeInTheDocument();
});
