import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import type { GenerationId, MonitoringNow, RunningAnswer } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../testing/fake-socket.ts';
import { memberNoor } from '../../testing/people-samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../testing/render.tsx');
const { OrgMonitoringPage } = await import('./org-monitoring-page.tsx');

const none = {
  attempts: 0,
  failed: 0,
  cut: 0,
  inputTokens: 0,
  outputTokens: 0,
  embeddingTokens: 0,
  firstTokenP50Ms: null,
  firstTokenP95Ms: null,
};
const some = {
  ...none,
  attempts: 5,
  failed: 1,
  inputTokens: 900,
  outputTokens: 300,
  firstTokenP50Ms: 410,
  firstTokenP95Ms: 2_300,
};
const atlas = `prv_${'0'.repeat(26)}/atlas-70b`;
const metrics = {
  step: 'hour' as const,
  timeZone: 'Europe/Oslo',
  starts: ['2026-11-21T09:00:00.000Z', '2026-11-21T10:00:00.000Z'],
  all: [none, some],
  series: [{ id: atlas, steps: [none, some] }],
  total: { figures: some, over: { ...some, outputTokens: 600 }, before: { ...some, inputTokens: 450 } },
  parts: [{ id: atlas, figures: some, over: none, before: none }],
  completeUntil: '2026-11-21T10:05:00.000Z',
  since: '2026-11-01',
};
const answer: RunningAnswer = {
  generationId: `gen_${'0'.repeat(26)}` as GenerationId,
  model: atlas,
  person: { userId: memberNoor.userId as UserId, name: memberNoor.name, picture: null },
  state: 'writing',
  queuedAt: '2026-11-21T10:04:00.000Z',
  firstTokenMs: 1_900,
  tokensPerSecond: 84,
};
const second: MonitoringNow = {
  at: '2026-11-21T10:05:00.000Z',
  online: 37,
  running: 6,
  queued: 1,
  tokensPerSecond: 1_104,
  firstTokenP50Ms: 410,
  firstTokenP95Ms: 2_300,
  errorsPerMinute: 3,
  spendToday: { costMicros: 148_200_000, unpricedAttempts: 2, currency: 'EUR' },
};

beforeEach(() => {
  socket.current = new FakeSocket();
});
/** The page, and a way to another one in the same tab. */
function Leaving() {
  const [isGone, setGone] = useState(false);
  return (
    <>
      <button onClick={() => setGone(true)}>Elsewhere</button>
      {isGone ? null : <OrgMonitoringPage />}
    </>
  );
}
function show(handlers: Handlers = {}, { role = 'owner' as OrgRole, search = '' } = {}) {
  const api = installFakeApi({
    'GET /api/monitoring/metrics': () => metrics,
    'GET /api/monitoring/running-answers': () => ({ items: [answer], count: 1 }),
    ...handlers,
  });
  const page = { path: '/:locale/settings/org-monitoring', at: `/en/settings/org-monitoring${search}`, role };
  return { api, ...renderInOrganisation(<Leaving />, page) };
}
const watched = () =>
  socket.current.sent.filter(({ name }) => name === 'monitoring.watch').map(({ request }) => request);

describe('this second', () => {
  it('is asked for while the page is open, and after each connection, and shown as it comes', async () => {
    show();
    await screen.findByRole('row', { name: /Everything/ });
    await act(async () => socket.current.open());
    await act(async () => {
      socket.current.drop('transport close');
      socket.current.open();
      socket.current.arrive('monitoring.now', second);
    });
    expect(watched()).toEqual([true, true]);
    for (const text of ['37', '1,104', '0.41 s', 'p95 2.3 s', '1 queued', '€148.20', '2 without a price'])
      expect(screen.getAllByText(text)).not.toHaveLength(0);
    await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(watched()).toEqual([true, true, false]);
  });

  it('is not asked for by a tab that nobody sees', async () => {
    show();
    await screen.findByRole('row', { name: /Everything/ });
    await act(async () => socket.current.open());
    const hidden = jest.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    hidden.mockRestore();
    await act(async () => void document.dispatchEvent(new Event('visibilitychange')));
    expect(watched()).toEqual([true, false, true]);
  });
});

describe('the trends', () => {
  it('are those of the time that the address says, beside the time before', async () => {
    const asked: unknown[] = [];
    show(
      {
        'GET /api/monitoring/metrics': ({ query }) => {
          asked.push(query);
          return metrics;
        },
      },
      { search: '?span=month&by=provider' },
    );
    const row = within(await screen.findByRole('row', { name: /Everything/ }));
    for (const text of ['1,200', '+100%', '0.41 s', '2.3 s']) expect(row.getByText(text)).toBeInTheDocument();
    expect(within(screen.getByRole('row', { name: /^atlas-70b 5 / })).getAllByText('–')).toHaveLength(1);
    expect(screen.getByText(/Complete until .* Europe\/Oslo/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: '7 d' }));
    await userEvent.click(screen.getByRole('button', { name: 'By model' }));
    await waitFor(() => expect(asked.at(-1)).toEqual({ span: 'week', by: 'model' }));
    expect(asked[0]).toEqual({ span: 'month', by: 'provider' });
  });

  it('show cut answers apart from those that failed', async () => {
    const figures = { ...some, failed: 2, cut: 3 };
    show({ 'GET /api/monitoring/metrics': () => ({ ...metrics, total: { ...metrics.total, figures } }) });
    expect(await screen.findByRole('row', { name: /^Everything 5 2 3 / })).toBeInTheDocument();
    expect(screen.getByRole('columnheader', { name: 'Cut' })).toBeInTheDocument();
  });

  it('count tokens of vectors among the tokens, and say how many they are', async () => {
    const read = { ...none, embeddingTokens: 2_800 };
    show({
      'GET /api/monitoring/metrics': () => ({
        ...metrics,
        total: { ...metrics.total, figures: { ...some, embeddingTokens: 2_800 } },
        parts: [{ id: `prv_${'0'.repeat(26)}/embed-1`, figures: read, over: none, before: none }, ...metrics.parts],
      }),
    });
    const everything = within(await screen.findByRole('row', { name: /Everything/ }));
    expect(everything.getByText('4,000')).toBeInTheDocument();
    expect(everything.getByText('2,800 for vectors')).toBeInTheDocument();
    const model = within(screen.getByRole('row', { name: /^embed-1 0 0 0 2,800/ }));
    expect(model.getByText('2,800 for vectors')).toBeInTheDocument();
    expect(screen.getAllByText(/for vectors/)).toHaveLength(2);
  });

  it('stand as a table too', async () => {
    show();
    const part = within(await screen.findByRole('region', { name: 'Time to first token' }));
    await userEvent.click(part.getByRole('button', { name: 'Show as table' }));
    expect(part.getAllByRole('row')).toHaveLength(2);
    expect(part.getByText('0.41 s')).toBeInTheDocument();
  });

  it('tell nothing counted, failing and no permission apart', async () => {
    show({ 'GET /api/monitoring/metrics': () => ({ ...metrics, since: null }) });
    expect(await screen.findByText('Nothing has been counted yet')).toBeInTheDocument();
    show({ 'GET /api/monitoring/metrics': () => refuse('platform.internal') });
    expect(await screen.findByText('The trends could not be loaded')).toBeInTheDocument();
    show({ 'GET /api/monitoring/metrics': () => refuse('platform.forbidden') });
    expect(await screen.findByText('You cannot see this')).toBeInTheDocument();
  });
});

describe('a running answer', () => {
  it('is stopped by whoever may', async () => {
    const { api } = show({ 'POST /api/chat/running-answers/:generationId/stop': () => ({ status: 'running' }) });
    const row = within(await screen.findByRole('row', { name: /atlas-70b Noor/ }));
    for (const text of ['1.9 s', '84', 'Writing']) expect(row.getByText(text)).toBeInTheDocument();
    await userEvent.click(row.getByRole('button', { name: /^Stop the answer for Noor/ }));
    expect(await row.findByText('Stopping')).toBeInTheDocument();
    expect(api.calls.filter(({ route }) => route.startsWith('POST'))).toHaveLength(1);
  });

  it('says why it was not stopped, and can be stopped again', async () => {
    show({ 'POST /api/chat/running-answers/:generationId/stop': () => refuse('chat.generation-not-found') });
    await userEvent.click(await screen.findByRole('button', { name: /^Stop the answer/ }));
    await waitFor(() => expect(screen.getByRole('button', { name: /^Stop the answer/ })).toBeEnabled());
  });

  it('has neither a person nor a stop for those who may only see how much runs', async () => {
    show(
      {
        'GET /api/monitoring/running-answers': () => ({ items: [{ ...answer, person: null, state: null }], count: 1 }),
      },
      { role: 'analyst' },
    );
    expect(await screen.findByText('Not known now')).toBeInTheDocument();
    expect(screen.queryByRole('columnheader', { name: 'Person' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Stop/ })).toBeNull();
  });

  it('is none where nobody waits', async () => {
    show({ 'GET /api/monitoring/running-answers': () => ({ items: [], count: 0 }) });
    expect(await screen.findByText(/No answer is being written/)).toBeInTheDocument();
  });
});
