import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatFile, FileId } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('../state/pending-sends-context.tsx');

const sendRoute = 'POST /api/chat/conversations/:conversationId/messages';
const fileId = (n: number) => `fil_${String(n).padStart(26, '0')}` as FileId;
const ready = (n: number, more: Partial<ChatFile> = {}): ChatFile => ({
  id: fileId(n),
  name: `plan-${n}.pdf`,
  mediaType: 'application/pdf',
  bytes: 4_100_000,
  status: 'ready',
  failure: null,
  progress: null,
  tokens: 1_200,
  image: null,
  pages: 26,
  passageCount: 12,
  createdAt: '2026-11-21T10:42:00.000Z',
  version: 1,
  ...more,
});
const reading = (n: number) => ready(n, { status: 'reading', tokens: null, pages: null });
/** The page asks for the state of files again after a pause. */
const soon = { timeout: 4_000 };

/** Opens a chat whose draft has these files; a test changes the array in place. */
async function show(items: ChatFile[]) {
  const draft = { text: '', revision: 1, others: [], files: items.map(({ id }) => id) };
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([sampleQuestion, sampleAnswer()]),
    'GET /api/chat/drafts/:where': () => draft,
    'PUT /api/chat/drafts/:where': ({ body }) => ({ ...draft, ...body, others: [], revision: 2 }),
    'GET /api/chat/files': () => ({ items: [...items] }),
    [sendRoute]: () => refuse('chat.file-not-ready'),
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await screen.findByText(items.length === 1 ? 'Send waits for 1 file' : `Send waits for ${items.length} files`);
  return () => api.calls.filter((call) => call.route === sendRoute).map(({ body }) => body);
}

const field = () => screen.getByRole('textbox', { name: 'Message' });
const send = () => screen.getByRole('button', { name: 'Send message' });

beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
});

describe('sending a message while its files are being read', () => {
  it('sends the message automatically when all files are ready', async () => {
    const items = [reading(1), reading(2)];
    const sent = await show(items);
    await userEvent.type(field(), 'What is new?{Enter}');
    expect(await screen.findByText('Sends when 2 files are ready')).toBeTruthy();
    items[0] = ready(1);
    expect(await screen.findByText('Sends when 1 file is ready', undefined, soon)).toBeTruthy();
    expect(sent()).toEqual([]);
    items[1] = ready(2);
    await waitFor(() => expect(sent()).toHaveLength(1), soon);
    expect(sent()[0]).toMatchObject({ text: 'What is new?', files: [{ id: fileId(1) }, { id: fileId(2) }] });
  });

  it.each(['Esc', 'the button'])('doesn’t send the message after %s', async (way) => {
    const items = [reading(1)];
    const sent = await show(items);
    await userEvent.click(send());
    expect(await screen.findByText('Sends when 1 file is ready')).toBeTruthy();
    if (way === 'Esc') await userEvent.type(field(), '{Escape}');
    else await userEvent.click(screen.getByRole('button', { name: 'Cancel sending' }));
    expect(await screen.findByText('Send waits for 1 file')).toBeTruthy();
    items[0] = ready(1);
    await waitFor(() => expect(screen.queryByText('Send waits for 1 file')).toBeNull(), soon);
    expect(sent()).toEqual([]);
    await userEvent.click(send());
    await waitFor(() => expect(sent()).toHaveLength(1));
  });

  it('doesn’t send the message if one of its files can’t be used, and says why', async () => {
    const items = [reading(1)];
    const sent = await show(items);
    await userEvent.type(field(), 'What is new?{Enter}');
    items[0] = ready(1, { status: 'failed', failure: 'encrypted', tokens: null, pages: null });
    expect(await screen.findByText('Remove failed files first', undefined, soon)).toBeTruthy();
    expect(screen.getByText('It is protected by a password. Upload a copy without one.')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Remove plan-1.pdf' }));
    await waitFor(() => expect(send()).not.toHaveAttribute('aria-disabled'));
    expect(sent()).toEqual([]);
  });

  it('doesn’t send the message without a file that is removed meanwhile', async () => {
    const sent = await show([reading(1)]);
    await userEvent.type(field(), 'What is new?{Enter}');
    await screen.findByText('Sends when 1 file is ready');
    await userEvent.click(screen.getByRole('button', { name: 'Remove plan-1.pdf' }));
    await waitFor(() => expect(send()).not.toHaveAttribute('aria-disabled'));
    expect(sent()).toEqual([]);
  });
});
