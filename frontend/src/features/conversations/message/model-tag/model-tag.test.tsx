import { beforeEach, expect, it } from '@jest/globals';
import type { ChatbotId, Model, ModelKey } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { installFakeApi } from '../../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../../testing/fake-socket.ts';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../../testing/render.tsx');
const { ConversationsPage } = await import('../../conversations-page.tsx');
const { PendingSendsProvider } = await import('../../state/pending-sends-context.tsx');

const model = (label: string): Model => ({
  ...sampleModel,
  key: `prv_00000000000000000000000001/${label}` as ModelKey,
  label,
  isDefault: false,
});
const [usual, other] = [model('atlas-70b'), model('atlas-8b')];
const id = 'bot_00000000000000000000000001' as ChatbotId;
const reviewer = { id, name: 'Code Reviewer', glyph: 'bot' as const, version: 2 };

type Given = { readonly imported?: true; readonly chatbot?: typeof reviewer };

/** Opens a chat where this model answered for a chatbot whose own model is `own`. */
function show({ key, label }: Model, own: ModelKey | null, { imported, chatbot = reviewer }: Given = {}) {
  const { calls } = installFakeApi({
    'GET /api/chat/models': () => ({
      items: [{ ...usual, isDefault: true }, other],
      documentCount: 0,
      indexedAt: null,
    }),
    'GET /api/chat/chatbots': () => ({ items: [{ ...reviewer, isDefault: false, model: own, starters: [] }] }),
    'GET /api/chat/conversations/:conversationId/path': () =>
      samplePath([sampleQuestion, sampleAnswer({ chatbot, model: { key, label } }, imported ? { imported } : {})]),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  return calls;
}

beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
});

it.each([
  ['the one that the chatbot names', usual.key],
  ['the default one', null],
])('names an answer’s model beside the time if it is not %s', async (_what, own) => {
  show(other, own);
  const [answer] = await screen.findAllByRole('article', { name: 'Code Reviewer' });
  await waitFor(() => expect(answer!.querySelector('header')).toHaveTextContent(/atlas-8b$/));
});

it('doesn’t name the model if it is the chatbot’s usual one', async () => {
  const calls = show(other, other.key);
  const [answer] = await screen.findAllByRole('article', { name: 'Code Reviewer' });
  await waitFor(() => expect(calls.map(({ route }) => route)).toContain('GET /api/chat/chatbots'));
  await screen.findByText('The certificate.');
  expect(answer!.querySelector('header')).not.toHaveTextContent('atlas');
});

it('names the chatbot of an imported answer, and says if it can’t be asked here', async () => {
  const builtIn = { ...other, key: 'builtin' as ModelKey };
  const elsewhere = { ...reviewer, id: 'bot_00000000000000000000000002' as ChatbotId, name: 'Handbook' };
  show(builtIn, null, { imported: true, chatbot: elsewhere });
  const [answer] = await screen.findAllByRole('article', { name: 'Handbook' });
  await waitFor(() => expect(answer!.querySelector('header')).toHaveTextContent(/not available/));
  expect(answer).toHaveTextContent('atlas-8b');
  expect(answer).not.toHaveTextContent('Built-in assistant');
});

it('shows no “not available” on an imported answer if its chatbot exists here', async () => {
  const calls = show(other, null, { imported: true });
  const [answer] = await screen.findAllByRole('article', { name: 'Code Reviewer' });
  await waitFor(() => expect(calls.map(({ route }) => route)).toContain('GET /api/chat/chatbots'));
  await screen.findByText('The certificate.');
  expect(answer!.querySelector('header')).not.toHaveTextContent(/not available/);
});
