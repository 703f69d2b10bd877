import { beforeEach, describe, expect, it } from '@jest/globals';
import type { GenerationId, Message, MessageId } from '@parley/contracts';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('./pending-sends-context.tsx');

const pathRoute = 'GET /api/chat/conversations/:conversationId/path';
const placeRoute = 'PUT /api/chat/conversations/:conversationId/place';
type Path = NonNullable<Handlers[typeof pathRoute]>;
type Query = Parameters<Path>[0]['query'];

const messageId = (n: number) => `msg_${String(n).padStart(26, '0')}` as MessageId;
/** The n-th message of a chat with a single path: odd ones are questions. */
function message(n: number, more: Partial<Message> = {}): Message {
  const at = { id: messageId(n), position: n, sequence: n, parentId: n === 1 ? null : messageId(n - 1), depth: n };
  if (n % 2) return { ...sampleQuestion, ...at, text: `Question ${n}`, ...more };
  const generation = { id: `gen_${String(n).padStart(26, '0')}` as GenerationId };
  return sampleAnswer(generation, { ...at, text: `Answer ${n}`, ...more });
}
const line = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => message(from + at));
const asked: Query[] = [];
const afters = () => asked.flatMap(({ after }) => (after === undefined ? [] : [Number(after)]));

/** Opens a chat with these responses of the server, and returns the requests. */
async function show(path: (query: Query) => ReturnType<Path>, handlers: Handlers = {}) {
  installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    [pathRoute]: ({ query }) => {
      asked.push(query);
      return path(query);
    },
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await screen.findByText('Question 1');
  act(() => socket.current.open());
}
const hear = (sequence: number) =>
  act(() =>
    socket.current.arrive('conversation.changed', {
      conversationId: sampleIds.conversation,
      sequence,
      kind: 'message',
    }),
  );
const texts = () => screen.getAllByText(/^(?:Question|Answer|Another) \d+$/).map(({ textContent }) => textContent);

beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
  socket.current = new FakeSocket();
  socket.current.reply = () => ({ ok: true, sequence: null, generationId: null });
});

describe('a tab that missed more than a page of changes', () => {
  it('loads all missed changes page by page, each after the sequence of the page before', async () => {
    await show(({ after }) => {
      if (after === undefined) return samplePath(line(1, 2));
      const from = Number(after) + 1;
      const items = line(from, Math.min(8, from + 1));
      return { ...samplePath(items), leafId: asked.at(-1)!.leaf ?? null, ...(from + 1 < 8 && { hasNewer: true }) };
    });
    hear(8);
    expect(await screen.findByText('Answer 8')).toBeInTheDocument();
    expect(texts()).toEqual(line(1, 8).map(({ text }) => text));
    expect(afters()).toEqual([2, 4, 6]);
  });
});

describe('showing a path that is older than the page’s last change', () => {
  it('loads the changes that the path lacks', async () => {
    const other = message(9, { id: messageId(90), parentId: messageId(1), role: 'assistant', depth: 2 });
    const another = sampleAnswer({}, { ...other, text: 'Another 9', sequence: 2, position: 2, generation: null });
    const versions = [{ parentId: messageId(1), ids: [messageId(2), another.id] }];
    const page = (items: Message[], sequence: number) => ({ ...samplePath(items), versions, sequence });
    await show(
      ({ through, after }) => {
        if (after !== undefined)
          return {
            ...page(
              Number(after) < 6
                ? [
                    message(10, {
                      parentId: another.id,
                      text: 'Question 10',
                      role: 'person',
                      author: sampleQuestion.author,
                      generation: null,
                      sequence: 6,
                    }),
                  ]
                : [],
              6,
            ),
            leafId: asked.at(-1)!.leaf ?? null,
          };
        return through === another.id ? page([message(1), another], 3) : page(line(1, 2), 5);
      },
      { [placeRoute]: () => ({ leafId: another.id, version: 1 }) },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Later version' }));
    expect(await screen.findByText('Another 9')).toBeInTheDocument();
    expect(await screen.findByText('Question 10')).toBeInTheDocument();
    expect(afters()).toContain(3);
  });
});

describe('an answer that was requested again on another device', () => {
  it('is shown also if loading its path failed once', async () => {
    const again = sampleAnswer({}, { ...message(2), id: messageId(90), text: 'Another 90', sequence: 3, position: 3 });
    const versions = [{ parentId: messageId(1), ids: [messageId(2), again.id] }];
    let isDown = true;
    await show(({ through, after, leaf }) => {
      if (through && isDown) {
        isDown = false;
        return refuse('platform.internal');
      }
      if (through) return { ...samplePath([message(1), again]), versions, sequence: 3 };
      if (after === undefined) return samplePath(line(1, 2));
      if (Number(after) >= 3) return { ...samplePath([]), leafId: leaf ?? null, sequence: 3 };
      const { id, role, parentId, author, position, sequence, isDeleted } = again;
      const elsewhere = [{ id, role, parentId, author, position, sequence, isDeleted, status: 'done' as const }];
      return { ...samplePath([]), leafId: leaf ?? null, versions, elsewhere, sequence: 3 };
    });
    hear(3);
    await waitFor(() => expect(texts()).toEqual(['Question 1', 'Another 90']), { timeout: 4000 });
  });
});

describe('a reader whose position was deleted', () => {
  it('leads the reader to the remaining messages of the chat', async () => {
    let isGone = false;
    await show(({ after }) => {
      if (after !== undefined && isGone) return refuse('chat.message-not-found');
      return isGone ? { ...samplePath([message(1), message(2)]), sequence: 7 } : samplePath(line(1, 4));
    });
    expect(texts()).toContain('Answer 4');
    isGone = true;
    hear(7);
    await waitFor(() => expect(texts()).toEqual(['Question 1', 'Answer 2']));
  });
});

describe('changes of a path that the reader has left meanwhile', () => {
  it('drops changes of the left path, and requests those of the current path', async () => {
    const release = Promise.withResolvers<void>();
    const another = sampleAnswer({}, { ...message(2), id: messageId(90), text: 'Another 2', sequence: 3, position: 3 });
    const versions = [{ parentId: messageId(1), ids: [messageId(2), another.id] }];
    const fetchOf = () => globalThis.fetch;
    await show(
      ({ through, after, leaf }) => {
        const page = { ...samplePath([message(1), through || leaf === another.id ? another : message(2)]), versions };
        if (after === undefined) return { ...page, sequence: 3 };
        const items = leaf === another.id ? [{ ...another, text: 'Another 22', sequence: 4 }] : [message(2)];
        return { ...page, items, leafId: leaf ?? null, sequence: 4 };
      },
      { [placeRoute]: () => ({ leafId: another.id, version: 1 }) },
    );
    // Hold the first response back until the reader is on the other version.
    const fetch = fetchOf();
    let isFirst = true;
    globalThis.fetch = (async (url: string, init?: RequestInit) => {
      const answer = await fetch(url, init);
      if (String(url).includes('after=') && isFirst) {
        isFirst = false;
        await release.promise;
      }
      return answer;
    }) as typeof fetch;
    hear(4);
    await waitFor(() => expect(afters()).toEqual([3]));
    await userEvent.click(await screen.findByRole('button', { name: 'Later version' }));
    expect(await screen.findByText('Another 2')).toBeInTheDocument();
    release.resolve();
    expect(await screen.findByText('Another 22')).toBeInTheDocument();
    expect(texts()).toEqual(['Question 1', 'Another 22']);
  });
});
