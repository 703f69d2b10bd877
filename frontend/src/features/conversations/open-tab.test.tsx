import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { conversationOpen, type ConversationOpen, type GenerationFrame, type GenerationId } from '@parley/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../testing/fake-socket.ts';
import { sampleAnswer, sampleConversation, sampleIds, sampleModel, sampleQuestion } from '../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../testing/render.tsx');
const { ConversationsPage } = await import('./conversations-page.tsx');
const { PendingSendsProvider } = await import('./pending-sends-context.tsx');

const opened = (): ConversationOpen[] =>
  socket.current.sent
    .filter(({ name }) => name === 'conversation.open')
    .map(({ request }) => request as ConversationOpen);
const refused = { ok: false, problem: { code: 'platform.invalid-request', status: 400, title: '', type: '' } };

async function showOpenTab(): Promise<void> {
  installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/messages': () => ({
      items: [sampleQuestion, sampleAnswer()],
      sequence: 2,
      hasOlder: false,
      title: 'VPN',
    }),
    'POST /api/chat/conversations/:conversationId/messages': ({ body }) => ({
      conversation: {
        ...sampleConversation,
        sequence: 4,
        running: true,
        runningAnswer: { generationId: body.generationId, answerId: body.answerId },
      },
      message: { ...sampleQuestion, id: body.messageId, text: body.text, position: 3, sequence: 3 },
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

beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
  socket.current.reply = (_name, request) =>
    conversationOpen.safeParse(request).success
      ? { ok: true, sequence: null, generationId: (request as ConversationOpen).stream?.generationId ?? null }
      : refused;
});

describe('an open tab, while no events flow', () => {
  it('asks for the words of its next answer by name, and shows them as they come', async () => {
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

  it('is never silent about a request that the server refuses', async () => {
    const reported: unknown[] = [];
    globalThis.reportError = (error: unknown) => void reported.push(error);
    socket.current.reply = () => refused;
    await showOpenTab();
    await waitFor(() => expect(String(reported[0])).toContain('platform.invalid-request'));
    jest.restoreAllMocks();
  });
});
