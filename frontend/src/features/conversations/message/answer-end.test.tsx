import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Message, MessageId, ModelKey } from '@parley/contracts';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  sampleQuestion,
  samplePath,
} from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { durableText } from '../../../domain/conversation/conversation-stream-state.ts';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

const again = 'POST /api/chat/conversations/:conversationId/answers';
const other = { ...sampleModel, key: 'prv_00000000000000000000000001/atlas-8b' as ModelKey, label: 'atlas-8b' };
const queued = { status: 'queued', epoch: 0, startedAt: null, finishedAt: null, usage: null } as const;

function show(answer: Message) {
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel, other], documentCount: 3, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => ({
      ...samplePath([sampleQuestion, answer]),
      title: 'VPN',
    }),
    [again]: ({ body }) => ({
      answer: sampleAnswer(
        { ...queued, id: body.generationId },
        { id: body.answerId, text: body.continues ? answer.text : '', position: 3, sequence: 3 },
      ),
      conversation: sampleConversation,
    }),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  return () => api.calls.find(({ route }) => route === again)?.body;
}
const names = () =>
  screen.queryAllByRole('button', { name: /^(Continue|Ask|Retry)/ }).map((button) => button.textContent);

beforeEach(() => localStorage.clear());

describe('an ended answer', () => {
  it('says that the budget shortened the answer, and offers to continue it', async () => {
    show(sampleAnswer({ status: 'failed', failure: 'output-limit', limitedBy: 'budget' }));
    expect(await screen.findByText(/^The budget had room for a shorter answer only\./)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Continue answer' })).toBeInTheDocument();
  });

  it('offers to ask again if the model returned no text', async () => {
    const sent = show(sampleAnswer({}, { text: '' }));
    expect(await screen.findByText('The model returned no text.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Ask again' }));
    await waitFor(() => expect(sent()).toMatchObject({ parentId: sampleIds.question }));
    expect(sent()).not.toHaveProperty('continues');
  });

  it('says that an imported answer is missing in the export, not that it was stopped', async () => {
    show(sampleAnswer({ status: 'stopped' }, { text: '', imported: true }));
    expect(await screen.findByText('The export has no answer to this message.')).toBeInTheDocument();
    expect(screen.queryByText(/Stopped by you/)).toBeNull();
    expect(screen.getByRole('button', { name: 'Ask again' })).toBeInTheDocument();
  });

  it('continues a stopped answer from its text, by the same model', async () => {
    const sent = show(sampleAnswer({ status: 'stopped' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Continue answer' }));
    const wanted = { parentId: sampleIds.question, continues: sampleIds.answer, model: 'builtin' };
    await waitFor(() => expect(sent()).toMatchObject(wanted));
    expect(await screen.findByText('Queued')).toBeInTheDocument();
    expect(screen.getByText('The certificate.')).toBeInTheDocument();
    expect(names()).toEqual([]);
  });

  it.each<[string, Message, string[]]>([
    ['fails with text', sampleAnswer({ status: 'failed', failure: 'provider-cut' }), ['Continue answer', 'Ask again']],
    [
      'is cut at a limit',
      sampleAnswer({ status: 'failed', failure: 'output-limit' }),
      ['Continue answer', 'Ask again'],
    ],
    ['is interrupted', sampleAnswer({ status: 'interrupted' }), ['Continue answer', 'Retry answer']],
    ['fails without text', sampleAnswer({ status: 'failed', failure: 'provider-cut' }, { text: '' }), ['Ask again']],
    ['is too long', sampleAnswer({ status: 'failed', failure: 'too-long' }), ['Ask again']],
    ['has lost its model', sampleAnswer({ status: 'failed', failure: 'model-missing' }), ['Ask again']],
  ])('and %s offers what makes sense', async (_what, answer, wanted) => {
    show(answer);
    await screen.findByRole('button', { name: 'Ask atlas-8b' });
    expect(names()).toEqual([...wanted, 'Ask atlas-8b']);
  });

  it('asks the same model again with a note if it refused the images', async () => {
    const failed = { status: 'failed', failure: 'images-refused', images: 'refused' } as const;
    const sent = show(sampleAnswer({ ...failed, failureDetail: 'No vision.' }, { text: '' }));
    expect(await screen.findByText(/The model refused the images\./)).toBeInTheDocument();
    const note = screen.getByRole('button', { name: 'Answer with a note instead' });
    expect(screen.getByRole('button', { name: 'Ask again' })).toBeInTheDocument();
    await userEvent.click(note);
    await waitFor(() => expect(sent()).toMatchObject({ model: 'builtin', images: 'note' }));
  });

  it('offers no way to continue a complete answer', async () => {
    show(sampleAnswer());
    await screen.findByText('The certificate.');
    expect(names()).toEqual([]);
  });

  it('names an unknown host, and folds the server’s message', async () => {
    show(sampleAnswer({ status: 'failed', failure: 'provider-unknown-host', failureDetail: 'models.nowhere.example' }));
    const note = await screen.findByText(/Parley can’t find a server with the name/);
    expect(note).toHaveTextContent('Parley can’t find a server with the name models.nowhere.example.');
    expect(screen.queryByText('What the server said')).toBeNull();
  });
});

it('shows the text of the continued answer as earlier text until the new answer has its own words', () => {
  const of = (generation: Parameters<typeof sampleAnswer>[0], text = 'Kept') =>
    durableText(sampleAnswer(generation, { id: 'msg_00000000000000000000000009' as MessageId, text }));
  expect(of(queued)).toEqual({ text: 'Kept', isEarlierAttempt: true });
  expect(of({ ...queued, status: 'running' }).isEarlierAttempt).toBe(true);
  expect(of({ ...queued, status: 'running', epoch: 1 }).isEarlierAttempt).toBe(false);
  expect(of({}).isEarlierAttempt).toBe(false);
  expect(of(queued, '').isEarlierAttempt).toBe(false);
});
