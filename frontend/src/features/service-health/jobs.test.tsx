import { describe, expect, it } from '@jest/globals';
import type { ServiceHealth } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { JobsTable } from './components/jobs-table.tsx';

const orgId = `org_${'1'.padStart(26, '0')}` as OrgId;
const other = `org_${'2'.padStart(26, '0')}` as OrgId;
const rerun = 'POST /api/monitoring/all-organisations/:orgId/parked-jobs/run-again';

type Jobs = NonNullable<ServiceHealth['services'][number]['jobs']>;
const none = { waiting: 0, running: 0, later: 0, retrying: 0, parked: 0, parkedHere: 0, parkedJobs: [] };
const parkedOf = (key: string, parts: Partial<Jobs[number]['parkedJobs'][number]> = {}) => ({
  id: `erase-document/${key}`,
  cause: 'BlobsAway EIO',
  attempts: 1_440,
  at: '2026-11-21T10:24:00.000Z',
  isOfAll: false,
  ...parts,
});
const eraser: Jobs[number] = {
  ...none,
  kind: 'erase-document',
  parked: 3,
  parkedHere: 2,
  parkedJobs: [parkedOf('doc_a'), parkedOf('doc_b', { cause: null, isOfAll: true })],
};

function show(jobs: Jobs, handlers: Handlers = {}, parkedElsewhere: ServiceHealth['parkedElsewhere'] = []) {
  const health: ServiceHealth = {
    at: '2026-11-21T10:42:00.000Z',
    organisation: { id: orgId, name: 'Fennick Clinics' },
    services: [{ service: 'chat', events: null, jobs }],
    parkedElsewhere,
    running: 0,
    queued: 0,
    slotsOfOnly: null,
    sockets: 0,
    providers: [],
    letters: [],
  };
  const { calls } = installFakeApi(handlers);
  renderInOrganisation(<JobsTable health={health} />, {
    path: '/:locale/settings/org_admin/monitoring/:orgId',
    at: `/en/settings/org_admin/monitoring/${orgId}`,
  });
  return { asked: () => calls.filter(({ route }) => route === rerun).map(({ body }) => body) };
}
const row = (name: RegExp) => screen.getByRole('row', { name });

describe('jobs of all services', () => {
  it('jobs are shown by kind with what waits, runs, is scheduled and parked; a kind without any is left out', () => {
    show([
      { ...none, kind: 'write-export', waiting: 4, running: 2 },
      { ...none, kind: 'tell-webhook', later: 7, retrying: 3 },
      { ...none, kind: 'read-file' },
    ]);
    expect(row(/Writing exports chat 4 2 0 0 Running/)).toBeInTheDocument();
    expect(row(/Delivering webhooks chat 0 0 7 0 Retrying 3 jobs/)).toBeInTheDocument();
    expect(screen.queryByText('Reading files')).toBeNull();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('scheduled jobs beyond the counted ones are marked', () => {
    show([{ ...none, kind: 'erase-chat', later: 1_000 }]);
    expect(row(/Erasing chats chat 0 0 1,000\+ 0/)).toBeInTheDocument();
  });

  it('a kind of a newer service goes by its own name', () => {
    show([{ ...none, kind: 'paint', running: 1 }]);
    expect(row(/paint chat 0 1/)).toBeInTheDocument();
  });

  it('an empty list says that there are no jobs', () => {
    show([{ ...none, kind: 'read-file' }]);
    expect(screen.getByText('No jobs right now')).toBeInTheDocument();
  });
});

describe('parked jobs', () => {
  it('parked jobs open below their kind, each with its cause and attempts, and one runs again', async () => {
    const { asked } = show([eraser], { [rerun]: () => ({ count: 1 }) });
    expect(row(/Erasing documents chat 0 0 0 3 1 elsewhere Parked/)).toBeInTheDocument();
    const kind = screen.getByRole('button', { name: 'Erasing documents' });
    expect(kind).toHaveAttribute('aria-expanded', 'false');
    await userEvent.click(kind);
    const list = within(screen.getByRole('list', { name: 'Parked: Erasing documents' }));
    expect(list.getByText('BlobsAway EIO')).toBeInTheDocument();
    expect(list.getByText('Unknown error')).toBeInTheDocument();
    expect(list.getByText('Belongs to no organisation')).toBeInTheDocument();
    expect(list.getAllByText(/1,440 attempts/)).toHaveLength(2);
    await userEvent.click(list.getByRole('button', { name: 'Run again: erase-document/doc_a' }));
    expect(asked()).toEqual([{ service: 'chat', kind: 'erase-document', ids: ['erase-document/doc_a'] }]);
    expect(await screen.findByText('1 job runs again')).toBeInTheDocument();
  });

  it('all parked jobs of a kind run again together, and none left is no failure', async () => {
    const { asked } = show([eraser], { [rerun]: () => ({ count: 0 }) });
    await userEvent.click(screen.getByRole('button', { name: 'Erasing documents' }));
    await userEvent.click(screen.getByRole('button', { name: 'Run all 2 jobs again' }));
    expect(asked()).toEqual([{ service: 'chat', kind: 'erase-document' }]);
    expect(await screen.findByText('No parked jobs left to run')).toBeInTheDocument();
  });

  it('parked jobs stay listed when the service does not respond', async () => {
    show([eraser], { [rerun]: () => refuse('platform.unavailable') });
    await userEvent.click(screen.getByRole('button', { name: 'Erasing documents' }));
    await userEvent.click(screen.getByRole('button', { name: 'Run all 2 jobs again' }));
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    expect(screen.getByText('BlobsAway EIO')).toBeInTheDocument();
  });

  it('parked jobs of other organisations are counted, and a link leads to each', () => {
    show([{ ...eraser, parkedHere: 0, parkedJobs: [] }], {}, [{ id: other, name: 'Lindmoor', count: 3 }]);
    expect(screen.queryByRole('button')).toBeNull();
    const link = screen.getByRole('link', { name: 'Lindmoor' });
    expect(link).toHaveAttribute('href', `/en/settings/org_admin/monitoring/${other}`);
  });
});
