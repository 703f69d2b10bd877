import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { act, screen } from '@testing-library/react';
import type { Organisation } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleAnswer, sampleIds, samplePath, sampleQuestion } from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';
import { QueuedNote } from './queued-note.tsx';

const place = { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` };
const about = /^This organisation isn’t approved and shares its turns/;
const longAgo = '2020-01-01T00:00:00.000Z';
const queued = { status: 'queued', epoch: 0, startedAt: null, finishedAt: null, usage: null } as const;

afterEach(() => void jest.useRealTimers());

describe('the note of a queued answer', () => {
  const show = (since: string, who: { approval: Organisation['approval']; role?: OrgRole }) => {
    jest.useFakeTimers({ now: Date.parse('2026-11-21T10:41:00.000Z') });
    renderInOrganisation(<QueuedNote since={since} />, { ...place, ...who });
  };
  const pass = (ms: number) => act(() => jest.advanceTimersByTimeAsync(ms));

  it.each([
    ['by the same clock', '2026-11-21T10:41:00.000Z'],
    ['where the clock of the server is ahead', '2027-01-01T00:00:00.000Z'],
  ])('shows the note of a queued answer after five seconds, %s', async (_what, since) => {
    show(since, { approval: 'none' });
    await pass(4_999);
    expect(screen.queryByText(about)).toBeNull();
    await pass(1);
    expect(screen.getByText(about)).toBeInTheDocument();
  });

  it('leads people who can ask for approval to the organisation’s settings', async () => {
    show(longAgo, { approval: 'none' });
    await pass(0);
    expect(screen.getByRole('link', { name: 'Ask for approval' }).getAttribute('href')).toContain(
      `/en/settings/org_admin/${sampleIds.org}`,
    );
  });

  it('says that approval was requested, once it is', async () => {
    show(longAgo, { approval: 'requested' });
    await pass(0);
    expect(screen.getByText(about)).toHaveTextContent('Approval is requested.');
    expect(screen.queryByRole('link')).toBeNull();
  });

  it.each(['none', 'requested'] as const)('shows others only a sentence, without a link (%s)', async (approval) => {
    show(longAgo, { approval, role: 'member' });
    await pass(0);
    expect(screen.getByText(about).textContent).toMatch(/Answers can start later\.\s*$/);
    expect(screen.queryByRole('link')).toBeNull();
  });
});

describe('a chat whose answer has waited for a while', () => {
  const show = (approval: Organisation['approval'], generation: Parameters<typeof sampleAnswer>[0]) => {
    installFakeApi({
      'GET /api/chat/conversations/:conversationId/path': () => ({
        ...samplePath([sampleQuestion, sampleAnswer(generation, { text: '', createdAt: longAgo })]),
        title: 'VPN',
      }),
    });
    renderInOrganisation(
      <PendingSendsProvider>
        <ConversationsPage />
      </PendingSendsProvider>,
      { ...place, approval },
    );
  };

  it('says in an unapproved organisation why the answer waits', async () => {
    show('none', queued);
    expect(await screen.findByText(about)).toBeInTheDocument();
  });

  it.each([
    ['in an approved organisation', 'approved', queued],
    ['while a worker has the answer', 'none', { ...queued, status: 'running', epoch: 1 }],
  ] as const)('says nothing of approvals %s', async (_what, approval, generation) => {
    show(approval, generation);
    expect(await screen.findByText('Queued')).toBeInTheDocument();
    await act(() => import('./answer-note.tsx'));
    expect(screen.queryByText(about)).toBeNull();
  });
});
