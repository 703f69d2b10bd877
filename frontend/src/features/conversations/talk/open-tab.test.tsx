import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  conversationOpen,
  type ConversationOpen,
  type GenerationFrame,
  type GenerationId,
  type Message,
  type MessageId,
} from '@parley/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  sampleQuestion,
  samplePath,
} from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('../state/pending-sends-context.tsx');

const opened = (): ConversationOpen[] =>
  socket.current.sent
    .filter(({ name }) => name === 'conversation.open')
    .map(({ request }) => request as ConversationOpen);
const refused = { ok: false, problem: { code: 'platform.invalid-request', status: 400, title: '', type: '' } };

async function showOpenTab(): Promise<void> {
  installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': ({ query }) => ({
      ...samplePath(query.after === undefined ? [sampleQuestion, sampleAnswer()] : later),
      sequence: query.after === undefined ? 2 : 4,
      leafId: sampleAnswer().id,
      title: 'VPN',
    }),
    'POST /api/chat/conversations/:conversationId/messages': ({ body }) => ({
      conversation: {
        ...sampleConversation,
        sequence: 4,
        running: true,
        runningAnswer: { generationId: body.generationId, answerId: body.answerId },
      },
      message: {
        ...sampleQuestion,
        id: body.messageId,
        parentId: body.parentId ?? null,
        text: body.text,
        position: 3,
        sequence: 3,
      },
      answer: sampleAnswer(
        { id: body.generationId, status: 'queued', epoch: 0, startedAt: null, finishedAt: null, usage: null },
        { id: body.answerId, parentId: body.messageId, position: 4, sequence: 4, text: '' },
      ),
    }),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await screen.findByText('The certificate.');
  act(() => socket.current.open());
  await waitFor(() => expect(opened()).not.toEqual([]));
}
const ask = async (text: string) => userEvent.type(screen.getByLabelText('Message'), `${text}{Enter}`);

/** Messages that the server has after the first two. */
let later: Message[] = [];
beforeEach(() => {
  later = [];
  localStorage.clear();
  socket.current = new FakeSocket();
  socket.current.reply = (_name, request) =>
    conversationOpen.safeParse(request).success
      ? { ok: true, sequence: null, generationId: (request as ConversationOpen).stream?.generationId ?? null }
      : refused;
});

describe('an open tab while no events arrive', () => {
  it('requests the words of the tab’s next answer by its id, and shows them as they come', async () => {
    await showOpenTab();
    await ask('And now?');
    let generationId = '' as GenerationId;
    await waitFor(() => {
      generationId = opened().at(-1)?.stream?.generationId ?? generationId;
      expect(opened().at(-1)?.stream).toEqual({ generationId: expect.stringMatching(/^gen_/), epoch: 0, seq: 0 });
    });
    for (const request of opened()) expect(conversationOpen.safeParse(request).success).toBe(true);
    const frame: GenerationFrame = [generationId, 1, 1, 0, 'Both herons are back.'];
    act(() => socket.current.arrive('generation.frame', frame));
    expect(await screen.findByText('Both herons are back.')).toBeInTheDocument();
  });

  it('always reports a request that the server refuses', async () => {
    const reported: unknown[] = [];
    globalThis.reportError = (error: unknown) => void reported.push(error);
    socket.current.reply = () => refused;
    await showOpenTab();
    await waitFor(() => expect(String(reported[0])).toContain('platform.invalid-request'));
    jest.restoreAllMocks();
  });
});

describe('a reader who scrolled up', () => {
  it('keeps the position of a reader who scrolled up, counts new messages, and offers a jump to them', async () => {
    await showOpenTab();
    const scroller = screen.getByRole('log').parentElement!;
    const layout = { scrollHeight: 2_000, clientHeight: 500, scrollTop: 1_500 };
    for (const name of ['scrollHeight', 'clientHeight', 'scrollTop'] as const)
      Object.defineProperty(scroller, name, {
        configurable: true,
        get: () => layout[name],
        set: (value: number) => {
          layout[name] = value;
        },
      });
    const scrollTo = (top: number) =>
      act(() => {
        layout.scrollTop = top;
        scroller.dispatchEvent(new Event('scroll'));
      });
    scroller.scrollTo = (({ top = 0 }: ScrollToOptions) => scrollTo(top - layout.clientHeight)) as never;
    scrollTo(1_500);
    expect(screen.queryByRole('button', { name: 'To the newest message' })).toBeNull();
    scrollTo(200);
    expect(await screen.findByRole('button', { name: 'To the newest message' })).toBeInTheDocument();
    const next = (n: number) => ({ position: n, sequence: n, id: `msg_${String(n).padStart(26, '0')}` as MessageId });
    later = [
      { ...sampleQuestion, ...next(3), parentId: sampleIds.answer, text: 'And now?' },
      sampleAnswer({ id: `gen_${'3'.padStart(26, '0')}` as GenerationId }, { ...next(4), parentId: next(3).id }),
    ];
    const change = { conversationId: sampleIds.conversation, sequence: 4, kind: 'message' };
    act(() => socket.current.arrive('conversation.changed', change));
    await userEvent.click(await screen.findByRole('button', { name: '2 new messages' }));
    expect(layout.scrollTop).toBe(1_500);
    expect(screen.queryByRole('button', { name: /new messages?$/ })).toBeNull();
  });
});
