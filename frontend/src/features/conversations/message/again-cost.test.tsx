import { beforeEach, expect, it } from '@jest/globals';
import type { ChatFile, FileId, Model, ModelKey } from '@parley/contracts';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('../state/pending-sends-context.tsx');

const id = 'fil_00000000000000000000000001' as FileId;
const file = { id, name: 'plan.pdf', mediaType: 'application/pdf', bytes: 1, use: 'whole' } as const;
const stored: ChatFile = {
  id,
  name: 'plan.pdf',
  mediaType: 'application/pdf',
  bytes: 1,
  status: 'ready',
  failure: null,
  progress: null,
  tokens: 3_000,
  image: null,
  pages: 26,
  passageCount: 12,
  createdAt: '2026-11-21T10:42:00.000Z',
  version: 1,
};
const priced = (label: string, tokens: number, price: Model['price']): Model => ({
  key: `prv_00000000000000000000000001/${label}` as ModelKey,
  label,
  providerName: 'Remote',
  isDefault: false,
  context: { tokens, isAssumed: false },
  ...(price !== undefined && { price }),
});
const price = { inputMicros: 4_000_000, outputMicros: 0, currency: 'EUR' };

/** Returns the menu's entries for other models, with the server's models and a question with these files. */
async function others(files: readonly ChatFile[]): Promise<string[]> {
  installFakeApi({
    'GET /api/chat/models': () => ({
      items: [
        sampleModel,
        priced('reads-it', 20_000, price),
        priced('searches-it', 8_000, price),
        priced('unpriced', 20_000, null),
      ],
      documentCount: 0,
      indexedAt: null,
    }),
    'GET /api/chat/conversations/:conversationId/path': () =>
      samplePath([{ ...sampleQuestion, files: [file] }, sampleAnswer()]),
    'GET /api/chat/conversations/:conversationId/messages/:messageId/branch': () => ({ messages: 1, versions: [] }),
    'GET /api/chat/files': () => ({ items: [...files] }),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await userEvent.click((await screen.findAllByRole('button', { name: 'More' })).at(-1)!);
  await userEvent.hover(await screen.findByRole('menuitem', { name: 'Ask again with…' }));
  await screen.findByRole('menuitem', { name: /^unpriced/ });
  if (files.length > 0) await screen.findAllByRole('menuitem', { name: /≈/ });
  return screen.getAllByRole('menuitem', { name: /-it|unpriced|Built-in/ }).map(({ textContent }) => textContent ?? '');
}

beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
});

it('shows the cost of asking again with each model, with files read in full or the most passages', async () => {
  // The text "What changed?" has 5 tokens.
  expect(await others([stored])).toEqual([
    'Built-in assistant',
    'reads-it≈ €0.012',
    'searches-it≈ €0.0096',
    'unpriced',
  ]);
});

it('shows no cost of asking again if the question has a file of someone else', async () => {
  expect(await others([])).toEqual(['Built-in assistant', 'reads-it', 'searches-it', 'unpriced']);
});
