import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChunkId, Conversation, ConversationId, FileId, MessageFile } from '@parley/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  samplePath,
  sampleQuestion,
} from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('../state/pending-sends-context.tsx');
const { ConversationList } = await import('../list/conversation-list.tsx');

const path = 'GET /api/chat/conversations/:conversationId/path';
const mark = 'PUT /api/chat/conversation-marks';
const source = `cnv_${'2'.repeat(26)}` as ConversationId;
const branchedFrom = { conversationId: source, messageId: sampleIds.answer };
const talk = samplePath([sampleQuestion, sampleAnswer()]);

function show(handlers: Handlers, items: Conversation[] = []) {
  const { calls } = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations': ({ query }) => ({ items: query.only ? [] : items, nextCursor: null }),
    [path]: () => talk,
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationList />
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

describe('a branched chat', () => {
  it('marks a branch in the list of chats, where it has the title of its source', async () => {
    const titled = { ...sampleConversation, title: 'Workshop plan' };
    show({}, [
      titled,
      { ...titled, id: source, branchedFrom: { ...branchedFrom, conversationId: sampleIds.conversation } },
    ]);
    const rows = await screen.findAllByRole('link', { name: /Workshop plan$/ });
    expect(rows.map((row) => row.textContent)).toEqual(['Workshop plan', 'BranchWorkshop plan']);
  });

  const noted = async (title?: string) => {
    show({ [path]: () => ({ ...talk, branchedFrom: { ...branchedFrom, title } }) });
    const note = await screen.findByText(/^Branched from/);
    expect(within(note).getByRole('link')).toHaveAttribute('href', `/en/chat/${source}#${sampleIds.answer}`);
    return note.textContent;
  };

  it('names the source of a branch and links to it', async () => {
    expect(await noted('Workshop plan')).toBe('Branched from Workshop plan');
  });

  it('links to the source of a branch if an older server doesn’t name it', async () => {
    expect(await noted()).toBe('Branched from another chat');
  });

  it('says that the source of a branch was deleted, without a link', async () => {
    show({ [path]: () => ({ ...talk, branchedFrom: { ...branchedFrom, title: null } }) });
    const note = await screen.findByText('Branched from a deleted chat');
    expect(within(note).queryByRole('link')).toBeNull();
  });
});

describe('an open archived chat', () => {
  const archived = { ...sampleConversation, archived: true };

  it('says that the chat is archived, also in its menu, and unarchives it on request', async () => {
    let isArchived = true;
    const calls = show({
      [path]: () => ({ ...talk, archived: isArchived }),
      'GET /api/chat/conversations/:conversationId': () => archived,
      [mark]: ({ body }) => {
        isArchived = body.archived === true;
        return { results: [{ conversationId: sampleIds.conversation, code: null }] };
      },
    });
    expect(await screen.findByText(/^This chat is archived\./)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Chat actions' }));
    expect(await screen.findByRole('menuitem', { name: 'Unarchive chat' })).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await userEvent.click(screen.getByRole('button', { name: 'Unarchive' }));
    await waitFor(() => expect(screen.queryByText(/^This chat is archived\./)).toBeNull());
    const body = { conversationIds: [sampleIds.conversation], archived: false };
    expect(calls.filter(({ route }) => route === mark)).toMatchObject([{ body }]);
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('still says that the chat is archived, and shows an error, if unarchiving is refused', async () => {
    show({
      [path]: () => ({ ...talk, archived: true }),
      'GET /api/chat/conversations/:conversationId': () => archived,
      [mark]: () => refuse('platform.unavailable'),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Unarchive' }));
    expect(await screen.findByText(/try again/i)).toBeInTheDocument();
    expect(screen.getByText(/^This chat is archived\./)).toBeInTheDocument();
  });

  it('shows no note for a chat that isn’t archived', async () => {
    show({});
    await screen.findByText('What changed?');
    expect(screen.queryByText(/archived\./)).toBeNull();
  });
});

describe('a file of a question', () => {
  const fileId = `fil_${'3'.repeat(26)}` as FileId;
  const file: MessageFile = { id: fileId, name: 'offer.docx', mediaType: 'text/plain', bytes: 4_100, use: 'whole' };

  it('opens a file beside the conversation, and still offers to download it', async () => {
    show({
      [path]: () => samplePath([{ ...sampleQuestion, files: [file] }, sampleAnswer()]),
      'GET /api/chat/files/:fileId': () => {
        const { use: _use, ...opened } = file;
        return { ...opened, createdAt: '2026-11-21T10:42:00.000Z' };
      },
      'GET /api/chat/files/:fileId/text': () => ({
        passages: [{ chunkId: `chk_${'4'.repeat(26)}` as ChunkId, heading: null, text: 'Nine hundred euros' }],
        previous: null,
        next: null,
      }),
    });
    const open = await screen.findByRole('button', { name: /^offer\.docx/ });
    expect(open).toHaveAttribute('aria-description', 'Open file');
    expect(screen.getByRole('button', { name: 'Download offer.docx' })).toBeInTheDocument();
    await userEvent.click(open);
    const viewer = await screen.findByRole('complementary', { name: 'offer.docx' });
    expect(await within(viewer).findByText('Nine hundred euros')).toBeInTheDocument();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('complementary', { name: 'offer.docx' })).toBeNull());
    expect(open).toHaveFocus();
  });
});

describe('the row below an answer', () => {
  it.each([
    ['an imported one', { imported: true } as const],
    ['one without words', { text: '' }],
  ])('leaves no space for rating buttons under %s', async (_what, more) => {
    show({ [path]: () => samplePath([sampleQuestion, sampleAnswer({}, more)]) });
    const copy = await screen.findByRole('button', { name: 'Copy answer' });
    expect(copy.nextElementSibling).toBe(screen.getByRole('button', { name: 'Answer again' }));
  });
});
