import { beforeEach, describe, expect, it } from '@jest/globals';
import type { GenerationId, MessageId, QueuedQuestion } from '@parley/contracts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../../testing/fake-socket.ts';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  samplePath,
  sampleQuestion,
} from '../../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../../testing/render.tsx');
const { LiveSession } = await import('../../../../app/live-session.tsx');
const { ConversationsPage } = await import('../../conversations-page.tsx');
const { PendingSendsProvider } = await import('../../state/pending-sends-context.tsx');

const queueRoute = 'POST /api/chat/conversations/:conversationId/queue';
const sendRoute = 'POST /api/chat/conversations/:conversationId/messages';
const againRoute = 'POST /api/chat/conversations/:conversationId/answers';
const id = (n: number) => `msg_${String(n).padStart(26, '0')}` as MessageId;
const generation = (n: number) => `gen_${String(n).padStart(26, '0')}` as GenerationId;
const written = { status: 'running', finishedAt: null, usage: null } as const;

/** Returns the n-th queued question, each below the answer to the one before. */
const queued = (n: number, text: string, more: Partial<QueuedQuestion> = {}): QueuedQuestion => ({
  id: id(100 + n),
  kind: 'question',
  parentId: n === 1 ? sampleIds.answer : id(200 + n - 1),
  text,
  answerId: id(200 + n),
  generationId: generation(100 + n),
  author: { userId: sampleIds.user, name: 'Ines Vardale' },
  queuedAt: '2026-11-21T10:42:00.000Z',
  version: 1,
  ...more,
});

/** The queue on the server. */
let items: QueuedQuestion[] = [];
let waitsForPerson = false;
const queue = () => ({ items, waitsForPerson });

/** Opens a chat whose only answer is running, unless another one is given. */
async function show(handlers: Handlers = {}, answer = sampleAnswer(written)) {
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([sampleQuestion, answer]),
    'GET /api/chat/conversations/:conversationId/queue': queue,
    [queueRoute]: ({ body }) => {
      const own =
        body.kind === 'question'
          ? { id: body.messageId, text: body.text }
          : { id: body.answerId, kind: body.kind, text: '', continues: body.continues };
      const { parentId, answerId, generationId } = body;
      items = [...items, queued(items.length + 1, '', { ...own, parentId, answerId, generationId })];
      return { ...queue(), started: false };
    },
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <LiveSession />
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await screen.findByText('What changed?');
  const sent = (route: string) => api.calls.filter((call) => call.route === route).map(({ body }) => body);
  return { sent };
}

const tray = () => screen.findByRole('region', { name: 'Queue' });
const rows = async () => within(await tray()).getAllByRole('listitem');
const changed = () =>
  act(() => socket.current.arrive('resource.changed', { orgId: sampleIds.org, resources: ['queue'] }));
const click = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }));

beforeEach(() => {
  localStorage.clear();
  [items, waitsForPerson] = [[], false];
  socket.current = new FakeSocket();
  socket.current.reply = () => ({ ok: true, sequence: null, generationId: null });
});

describe('sending while an answer is running', () => {
  it('queues questions on the server, each below the answer to the one before', async () => {
    const { sent } = await show();
    await userEvent.type(screen.getByLabelText('Message'), 'And why?{Enter}');
    await userEvent.type(screen.getByLabelText('Message'), 'Since when?{Enter}');
    await waitFor(() => expect(sent(queueRoute)).toHaveLength(2));
    const [first, second] = sent(queueRoute) as { answerId: MessageId }[];
    expect(first).toMatchObject({ kind: 'question', text: 'And why?', parentId: sampleIds.answer });
    expect(second).toMatchObject({ kind: 'question', text: 'Since when?', parentId: first?.answerId });
    expect((await rows()).map(({ textContent }) => textContent)).toEqual(['NextAnd why?Edit', '2Since when?Edit']);
    expect(sent(sendRoute)).toEqual([]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('parley.send.'))).toEqual([]);
  });

  it('queues another version of a question, too', async () => {
    const { sent } = await show();
    await click('Edit');
    const field = await screen.findByRole('textbox', { name: 'Your question' });
    await userEvent.type(field, ' Today?{Enter}');
    await waitFor(() => expect(sent(queueRoute)).toMatchObject([{ text: 'What changed? Today?', parentId: null }]));
    expect(await rows()).toHaveLength(1);
  });

  it('queues a request for another answer, with the name of its chatbot', async () => {
    const earlier = [sampleQuestion, sampleAnswer()];
    const { sent } = await show({
      'GET /api/chat/conversations/:conversationId/path': () => ({
        ...samplePath(earlier),
        elsewhere: [
          { id: id(9), sequence: 3, position: 3, parentId: id(8), author: null, role: 'assistant', status: 'running' },
        ],
      }),
    });
    await click('Answer again');
    await waitFor(() => expect(sent(queueRoute)).toMatchObject([{ kind: 'again', parentId: sampleIds.question }]));
    expect((await rows())[0]).toHaveTextContent('NextAsk again');
    expect(sent(againRoute)).toEqual([]);
  });

  it('keeps a message in the field if the queue is full, and says why', async () => {
    items = Array.from({ length: 20 }, (_, index) => queued(index + 1, `question ${index + 1}`));
    const { sent } = await show();
    expect(await screen.findByText('20 of 20 queued')).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Message'), 'One more{Enter}');
    expect(screen.getByRole('alert')).toHaveTextContent('The queue is full. Withdraw a message, or wait.');
    expect(screen.getByLabelText('Message')).toHaveValue('One more');
    expect(sent(queueRoute)).toEqual([]);
  });
});

it('queues a question if an answer began that this page doesn’t know of', async () => {
  const { sent } = await show({ [sendRoute]: () => refuse('chat.generation-running') }, sampleAnswer());
  await userEvent.type(screen.getByLabelText('Message'), 'And why?{Enter}');
  await waitFor(() => expect(sent(queueRoute)).toMatchObject([{ text: 'And why?', parentId: sampleIds.answer }]));
  expect((await rows())[0]).toHaveTextContent('And why?');
});

describe('a waiting question', () => {
  beforeEach(() => {
    items = [queued(1, 'And why?'), queued(2, 'Since when?')];
  });

  it('edits a waiting question in its row', async () => {
    const { sent } = await show({
      'PATCH /api/chat/conversations/:conversationId/queue/:messageId': ({ body }) => {
        items = [queued(1, body.text, { version: 2 }), items[1]!];
        return items[0]!;
      },
    });
    await userEvent.click(within((await rows())[0]!).getByRole('button', { name: 'Edit' }));
    const field = await screen.findByRole('textbox', { name: 'Your question' });
    await userEvent.type(field, ' Really?');
    await click('Save message');
    await waitFor(async () => expect((await rows())[0]).toHaveTextContent('NextAnd why? Really?'));
    expect(sent('PATCH /api/chat/conversations/:conversationId/queue/:messageId')).toEqual([
      { version: 1, text: 'And why? Really?' },
    ]);
  });

  it('returns typed text to the message field if the question is asked meanwhile', async () => {
    await show();
    await userEvent.click(within((await rows())[0]!).getByRole('button', { name: 'Edit' }));
    await userEvent.type(await screen.findByRole('textbox', { name: 'Your question' }), ' Really?');
    items = [items[1]!];
    changed();
    await waitFor(() => expect(screen.getByLabelText('Message')).toHaveValue('And why? Really?'));
    expect(await rows()).toHaveLength(1);
  });

  it('withdraws a question, and returns its text to the message field', async () => {
    const gone: string[] = [];
    await show({
      'DELETE /api/chat/conversations/:conversationId/queue/:messageId': ({ params }) => {
        gone.push(params.messageId);
        items = items.filter((item) => item.id !== params.messageId);
      },
    });
    await userEvent.click(within((await rows())[1]!).getByRole('button', { name: 'Withdraw' }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    expect(gone).toEqual([id(102)]);
    expect(screen.getByLabelText('Message')).toHaveValue('Since when?');
  });

  it('returns no text to the message field if the question was asked before it could be withdrawn', async () => {
    await show({
      'DELETE /api/chat/conversations/:conversationId/queue/:messageId': () => refuse('platform.conflict'),
    });
    await userEvent.type(screen.getByLabelText('Message'), 'Own words');
    await userEvent.click(within((await rows())[1]!).getByRole('button', { name: 'Withdraw' }));
    await screen.findByText('Parley already answers this question. You can stop the answer.');
    expect(screen.getByLabelText('Message')).toHaveValue('Own words');
  });

  it('shows a question that another device queues', async () => {
    items = [];
    await show();
    expect(screen.queryByRole('region', { name: 'Queue' })).toBeNull();
    items = [queued(1, 'And why?')];
    changed();
    expect(await rows()).toHaveLength(1);
  });
});

describe('a queue on hold', () => {
  beforeEach(() => {
    items = [queued(1, 'And why?'), queued(2, 'Since when?')];
    waitsForPerson = true;
  });
  const failed = sampleAnswer({ status: 'failed', failure: 'provider-cut' });

  it('says that the queue is on hold, and continues it on request', async () => {
    await show(
      {
        'POST /api/chat/conversations/:conversationId/queue/resume': () => {
          waitsForPerson = false;
          return queue();
        },
      },
      failed,
    );
    expect(await screen.findByText('The last answer failed. Queued messages wait for you.')).toBeInTheDocument();
    await click('Send anyway');
    await waitFor(() => expect(screen.queryByText(/Queued messages wait/)).toBeNull());
    expect(await rows()).toHaveLength(2);
  });

  it.each([
    ['answer was cut off', /^The answer was cut off\./, { status: 'failed', failure: 'output-limit' }],
    ['answer failed', /^The answer failed\./, { status: 'failed', failure: 'provider-cut' }],
    ['answer was interrupted', /^The answer was interrupted\./, { status: 'interrupted' }],
    ['message was not sent', /^Kept, not sent/, { status: 'failed', failure: 'budget-spent' }],
  ] as const)('says in the same words as the conversation that the last %s', async (words, title, generation) => {
    await show({}, sampleAnswer(generation, { text: title.test('Kept, not sent') ? '' : 'Fixed.' }));
    expect(await screen.findByText(`The last ${words}. Queued messages wait for you.`)).toBeInTheDocument();
    expect(await screen.findByText(title)).toBeInTheDocument();
  });

  it('says why the next question was refused', async () => {
    items = [queued(1, 'And why?', { refusal: 'chat.chatbot-not-found' }), items[1]!];
    await show({}, failed);
    expect(await screen.findByText(/Choose another/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
  });

  it('withdraws the whole queue, which doesn’t delay another attempt', async () => {
    const again: unknown[] = [];
    await show(
      {
        [againRoute]: ({ body }) => {
          again.push(body);
          const answer = sampleAnswer({ ...written, id: body.generationId }, { id: body.answerId, sequence: 3 });
          return { answer, conversation: sampleConversation };
        },
        'DELETE /api/chat/conversations/:conversationId/queue/:messageId': ({ params }) => {
          items = items.filter((item) => item.id !== params.messageId);
        },
      },
      failed,
    );
    await click('Ask again');
    await waitFor(() => expect(again).toHaveLength(1));
    await click('Withdraw all');
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Queue' })).toBeNull());
    expect(items).toEqual([]);
  });
});

it('shows another version that this tab has queued when its answer begins', async () => {
  const another = { ...sampleQuestion, id: id(50), position: 3, sequence: 3, text: 'What changed? Today?' };
  let answerId = id(0);
  await show({
    'GET /api/chat/conversations/:conversationId/path': ({ query }) =>
      query.through === answerId
        ? samplePath([another, sampleAnswer(written, { id: answerId, parentId: another.id, position: 4, sequence: 4 })])
        : samplePath([sampleQuestion, sampleAnswer(written)]),
    'PUT /api/chat/conversations/:conversationId/place': () => ({ leafId: answerId, version: 2 }),
  });
  await click('Edit');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Your question' }), ' Today?{Enter}');
  await rows();
  answerId = items[0]!.answerId;
  items = [];
  changed();
  const messages = screen.getByRole('log', { name: 'Messages' });
  expect(await within(messages).findByText('What changed? Today?')).toBeInTheDocument();
  expect(within(messages).queryByText('What changed?')).toBeNull();
});
