import { beforeEach, expect, it } from '@jest/globals';
import type { GenerationFrame, Trial } from '@parley/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { sampleBotId, sampleDraft, sampleTrial, studioHandlers } from '../../../testing/chatbot-samples.ts';
import { installFakeApi, type Handlers } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { AiStudioPage } = await import('../ai-studio-page.tsx');

beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
});

function show(handlers: Handlers = {}) {
  const api = installFakeApi({ ...studioHandlers(sampleDraft()), ...handlers });
  renderInOrganisation(<AiStudioPage />, {
    path: '/:locale/settings/aiStudio-chatbot-settings',
    at: `/en/settings/aiStudio-chatbot-settings?bot=${sampleBotId}`,
    role: 'owner',
  });
  return (route: string) => api.calls.filter((call) => call.route === route).map(({ body }) => body);
}

it('a question goes to the draft and to what is live, with what each took and found', async () => {
  const found = [
    {
      number: 1,
      documentId: 'doc_01M7Z6X0BT7J6QPJC5FQE3HR41' as never,
      chunkId: 'chk_01M7Z6X0BT7J6QPJC5FQE3HR42' as never,
      documentName: 'Relay settings',
      heading: null,
      text: 'Relay 51N-7 trips feeder 7.',
      score: 0.86,
    },
  ];
  const sent = show({
    'POST /api/chat/chatbot-drafts/:chatbotId/trials': ({ body }) =>
      sampleTrial({
        id: body.id,
        version: body.version,
        question: body.question,
        found,
        citations: found.map(({ text: _t, score: _s, ...rest }) => rest),
      }),
  });
  await userEvent.type(await screen.findByLabelText('Ask a question'), 'Which relay?{Enter}');
  expect(await screen.findAllByText('Relay settings')).toHaveLength(2);
  expect(sent('POST /api/chat/chatbot-drafts/:chatbotId/trials')).toMatchObject([{ version: null }, { version: 14 }]);
  expect(screen.getAllByText('2,318')).toHaveLength(2);
  expect(screen.getAllByText('1 passage found, 1 cited')).toHaveLength(2);
  expect(screen.getAllByText('0.86')).toHaveLength(2);
  const [number] = await screen.findAllByRole('button', { name: 'Source 1' });
  const folded = () => screen.getAllByText('Relay 51N-7 trips feeder 7.').map((text) => text.closest('details')?.open);
  expect(folded()).toEqual([false, false]);
  await userEvent.click(number!);
  expect(folded()).toEqual([true, false]);
});

it('words come by the socket as they are said, thoughts folded above them, and the end is fetched', async () => {
  const running = sampleTrial({ status: 'queued', text: '', usage: null, firstTokenMs: null, totalMs: null });
  let kept: Trial = running;
  show({
    'GET /api/chat/chatbot-drafts/:chatbotId/trials': () => ({ items: [running] }),
    'GET /api/chat/trials/:trialId': () => kept,
  });
  await screen.findByText('Queued');
  const opened = () => socket.current.sent.filter(({ name }) => name === 'conversation.open');
  socket.current.reply = () => ({ ok: true, sequence: null, generationId: running.generationId });
  act(() => socket.current.open());
  await waitFor(() => expect(opened()).toHaveLength(1));
  expect(opened()[0]!.request).toMatchObject({ conversationId: running.conversationId, trialId: running.id });
  const arrive = (...frame: unknown[]) =>
    act(() =>
      socket.current.arrive('generation.frame', [running.generationId, 1, ...frame] as never as GenerationFrame),
    );
  arrive(1, 0, '', null, [0, 'Which one?']);
  expect(screen.getByText('Thinking')).toBeInTheDocument();
  expect(screen.getByText('Which one?').closest('details')!.open).toBe(false);
  arrive(2, 0, 'Relay ');
  arrive(3, 6, '**51N');
  expect(screen.getByText('Writing')).toBeInTheDocument();
  expect(await screen.findByText(/Relay/)).toBeInTheDocument();
  // A piece is missing: what is held is said, and the rest asked for.
  arrive(5, 40, 'far behind');
  await waitFor(() => expect(opened()).toHaveLength(2));
  expect(opened()[1]!.request).toMatchObject({ stream: { epoch: 1, seq: 3 } });
  kept = sampleTrial({ text: 'Relay **51N-7**.', thoughts: { text: 'Which one?', ms: 1_200 } });
  arrive(6, 0, 'Relay **51N-7**.', 'done');
  expect(await screen.findByText('51N-7', { selector: 'strong' })).toBeInTheDocument();
  expect(await screen.findByText('2,318')).toBeInTheDocument();
  expect(screen.getByText('Thought for 1.2 s')).toBeInTheDocument();
});

it.each([
  ['failed', 'provider-rate-limited', /^The model server takes no more requests for now/],
  ['failed', 'model-missing', /^The model was removed or is unknown to its server/],
  ['failed', 'budget-spent', /^The budget is not enough for this answer/],
  ['interrupted', null, /^The server was restarted while it wrote/],
] as const)('a trial that %s says why in the words of the chat (%s), never what a server sent', async (...given) => {
  const [status, failure, words] = given;
  const failureDetail = failure && '{"error":{"code":"rate_limit_exceeded"}}';
  const ended = sampleTrial({ status, failure, failureDetail, text: '', usage: null });
  show({
    'GET /api/chat/chatbot-drafts/:chatbotId/trials': () => ({ items: [ended] }),
    'GET /api/chat/trials/:trialId': () => ended,
  });
  const said = await screen.findByText((_text, node) => node?.tagName === 'DIV' && hasOwn(node, words));
  const detail = screen.queryByText('{"error":{"code":"rate_limit_exceeded"}}');
  if (failure === null || failure === 'budget-spent') return expect(detail).toBeNull();
  expect(said).toContainElement(detail);
  expect(detail?.closest('details')?.open).toBe(false);
  expect(detail?.closest('details')).toHaveTextContent(/^What the server said/);
});

const hasOwn = (node: Element, words: RegExp): boolean =>
  [...node.childNodes].some((child) => child.nodeType === 3 && words.test((child.textContent ?? '').trim()));
