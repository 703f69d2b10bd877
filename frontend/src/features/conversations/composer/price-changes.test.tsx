import { expect, it } from '@jest/globals';
import type { Model, ModelKey } from '@parley/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { LiveSession } = await import('../../../app/live-session.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('../state/pending-sends-context.tsx');

const atlas = 'prv_00000000000000000000000001/atlas' as ModelKey;

type Now = { price: Model['price']; pricesChangeInSeconds?: number };
const note = 'No price: not limited by a budget';
const set: Model['price'] = { inputMicros: 2_500_000, outputMicros: 10_000_000, currency: 'EUR' };

/** Opens a chat in an organisation with a budget; `now` is the model's price when models are read. */
async function openChat(now: Now): Promise<void> {
  socket.current = new FakeSocket();
  socket.current.reply = () => ({ ok: true, sequence: null, generationId: null });
  const budget = {
    id: `bud_${'1'.repeat(26)}`,
    scope: { kind: 'organisation' },
    period: 'month',
    unit: 'money',
    softLimit: null,
    hardLimit: 25_000_000,
    spent: 0,
    held: 0,
    periodStart: '2026-11-01',
    resetsAt: '2026-12-01T00:00:00.000Z',
    version: 1,
    hasAsked: false,
  };
  const answer = sampleAnswer();
  installFakeApi({
    'GET /api/chat/models': () => {
      const { price, ...changing } = now;
      return { items: [{ ...sampleModel, key: atlas, price }], documentCount: 0, indexedAt: null, ...changing };
    },
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([sampleQuestion, answer]),
    'GET /api/chat/conversations/:conversationId/queue': () => ({ items: [], waitsForPerson: false }),
    'GET /api/billing/my-budgets': () => ({ items: [budget], currency: 'EUR', timeZone: 'UTC', raisers: [] }) as never,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <LiveSession />
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  expect(await screen.findByText(note)).toBeInTheDocument();
}

it('removes the note that no budget limits the model in an open tab when a price is set', async () => {
  const now: Now = { price: null };
  await openChat(now);
  now.price = set;
  act(() => socket.current.arrive('resource.changed', { orgId: null, resources: ['models', 'prices', 'rates'] }));
  await waitFor(() => expect(screen.queryByText(note)).toBeNull());
});

it('shows a price that begins at a set time in an open tab, without an event', async () => {
  const now: Now = { price: null, pricesChangeInSeconds: 1 };
  await openChat(now);
  now.price = set;
  delete now.pricesChangeInSeconds;
  await waitFor(() => expect(screen.queryByText(note)).toBeNull(), { timeout: 10_000 });
});
