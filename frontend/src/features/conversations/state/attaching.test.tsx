import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatFile, FileId } from '@parley/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('./pending-sends-context.tsx');

const sendRoute = 'POST /api/chat/conversations/:conversationId/messages';
const fileId = (n: number) => `fil_${String(n).padStart(26, '0')}` as FileId;
const chatFile = (n: number, more: Partial<ChatFile> = {}): ChatFile => ({
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
const model = { ...sampleModel, context: { tokens: 8_000, isAssumed: true } };

/** Opens a chat whose draft on the server has these files. */
async function show(files: readonly ChatFile[], handlers: Handlers = {}) {
  const draft = { text: '', revision: 1, others: [], files: files.map(({ id }) => id) };
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [model], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([sampleQuestion, sampleAnswer()]),
    'GET /api/chat/drafts/:where': () => draft,
    'PUT /api/chat/drafts/:where': ({ body }) => ({ ...draft, ...body, others: [], revision: 2 }),
    'GET /api/chat/files': () => ({ items: [...files] }),
    [sendRoute]: () => refuse('chat.file-not-ready'),
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await screen.findByText('What changed?');
  const sent = (route: string) => api.calls.filter((call) => call.route === route).map(({ body }) => body);
  return { sent };
}

const cards = async () => within(await screen.findByRole('list', { name: 'Attached files' })).getAllByRole('listitem');
const send = () => screen.getByRole('button', { name: 'Send message' });

beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
});

describe('files of a draft', () => {
  it('shows how each file is used, whole while there is room, and sends the files without text', async () => {
    const { sent } = await show([chatFile(1), chatFile(2), chatFile(3, { tokens: 900_000, pages: null })]);
    const [first, second, third] = await cards();
    expect(within(first!).getByRole('button', { name: 'Read in full, 1,200 tokens' })).toBeTruthy();
    expect(within(second!).getByRole('button', { name: 'Searched, 26 pages' })).toBeTruthy();
    expect(within(third!).getByRole('button', { name: 'Searched' })).toBeTruthy();
    // The first file has 1,200 tokens, and the passages of the other two 2,400 together.
    expect(await screen.findByText('45% of context')).toBeTruthy();
    await userEvent.click(send());
    await waitFor(() => expect(sent(sendRoute)).toHaveLength(1));
    expect(sent(sendRoute)[0]).toMatchObject({
      text: '',
      files: [1, 2, 3].map((n) => ({ id: fileId(n), use: 'auto' })),
    });
    expect(sent(sendRoute)[0]).not.toHaveProperty('attached');
    // The refused question is shown in the conversation, with its files and their use.
    const refused = await screen.findByRole('button', { name: /^plan-1\.pdf/ });
    expect(refused.closest('li')).toHaveTextContent(/Read in full, 1,200 tokens$/);
  });

  it('shows the cost of all files with the text, and of each file, before the question is sent', async () => {
    const price = { inputMicros: 20_000_000, outputMicros: 0, currency: 'EUR' };
    await show([chatFile(1), chatFile(2)], {
      'GET /api/chat/models': () => ({ items: [{ ...model, price }], documentCount: 0, indexedAt: null }),
    });
    expect(await screen.findByText('≈ €0.048 · 30% of context')).toBeTruthy();
    await userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'ä'.repeat(75));
    const hint = await screen.findByText('≈ €0.049 · 30% of context');
    expect(hint.getAttribute('title')).toContain('The answer and earlier messages are not included.');
    const [whole, searched] = (await cards()).map((card) =>
      within(card).getByRole('button', { name: /Read|Searched/ }),
    );
    expect(whole!.getAttribute('title')).toBe('Adds ≈ €0.024 to each question.');
    const passages = 'Searched files together add up to about 2,400 tokens of passages (≈ €0.048) to each question.';
    expect(searched!.getAttribute('title')).toBe(passages);
    await userEvent.click(whole!);
    expect(await screen.findByRole('menuitem', { name: /Adds ≈ €0\.024 to each question\./ })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: /^Search it/ })).toHaveTextContent(passages);
  });

  it('shows no cost of files if the model has no price', async () => {
    await show([chatFile(1)], {
      'GET /api/chat/models': () => ({ items: [{ ...model, price: null }], documentCount: 0, indexedAt: null }),
    });
    expect(await screen.findByText('15% of context')).toBeTruthy();
    expect(screen.queryByText(/≈/)).toBeNull();
  });

  it('changes the use of a file, and removes a file', async () => {
    const { sent } = await show([chatFile(1)]);
    const [card] = await cards();
    await userEvent.click(within(card!).getByRole('button', { name: 'Read in full, 1,200 tokens' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: /^Search it/ }));
    await userEvent.click(send());
    await waitFor(() => expect(sent(sendRoute)[0]).toMatchObject({ files: [{ id: fileId(1), use: 'searched' }] }));
  });

  it('says why a file can’t be read, and reads it again or removes it', async () => {
    const failed = chatFile(1, { status: 'failed', failure: 'took-too-long', tokens: null, pages: null });
    const endless = chatFile(3, { ...failed, id: fileId(3), name: 'endless.pdf', failure: 'too-many-passages' });
    const heavy = chatFile(4, { ...failed, id: fileId(4), name: 'heavy.pdf', failure: 'took-too-much-memory' });
    const locked = chatFile(2, { ...failed, id: fileId(2), name: 'locked.pdf', failure: 'encrypted' });
    const { sent } = await show([failed, locked, endless, heavy], {
      'POST /api/chat/files/:fileId/retry': () => failed,
    });
    const [card, other, third, fourth] = await cards();
    for (const one of [third, fourth]) {
      expect(within(one!).getByRole('alert')).toHaveTextContent(/Split/);
      expect(within(one!).queryByRole('button', { name: 'Try again' })).toBeNull();
    }
    expect(within(other!).getByText('It is protected by a password. Upload a copy without one.')).toBeTruthy();
    expect(within(other!).queryByRole('button', { name: 'Try again' })).toBeNull();
    await userEvent.click(within(card!).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(sent('POST /api/chat/files/:fileId/retry')).toHaveLength(1));
    await userEvent.click(within(card!).getByRole('button', { name: 'Remove plan-1.pdf' }));
    await waitFor(() => expect(screen.queryByText('plan-1.pdf')).toBeNull());
    await waitFor(() =>
      expect(sent('PUT /api/chat/drafts/:where').at(-1)).toMatchObject({ files: [fileId(2), fileId(3), fileId(4)] }),
    );
  });
});

describe('the hint about files of a draft', () => {
  it('says that the context length is assumed if it isn’t known', async () => {
    const files = [chatFile(1), chatFile(2, { tokens: 900_000 })];
    await show(files);
    const assumed = 'The context length of this model isn’t known: 8,000 tokens are assumed.';
    expect((await screen.findByText('45% of context')).getAttribute('title')).toMatch(new RegExp(` ${assumed}$`));
    const [short, long] = await cards();
    await userEvent.click(within(short!).getByRole('button', { name: /^Read in full/ }));
    expect(await screen.findByRole('menuitem', { name: /^Read in full/ })).not.toHaveTextContent(assumed);
    await userEvent.keyboard('{Escape}');
    await userEvent.click(within(long!).getByRole('button', { name: /^Searched/ }));
    expect(await screen.findByRole('menuitem', { name: /Too long for this model/ })).toHaveTextContent(assumed);
  });

  it('don’t call a known context length assumed', async () => {
    const known = { ...model, context: { tokens: 8_000, isAssumed: false } };
    await show([chatFile(1), chatFile(2, { tokens: 900_000 })], {
      'GET /api/chat/models': () => ({ items: [known], documentCount: 0, indexedAt: null }),
    });
    expect((await screen.findByText('45% of context')).getAttribute('title')).not.toMatch(/assumed/);
    await userEvent.click(within((await cards())[1]!).getByRole('button', { name: /^Searched/ }));
    expect(await screen.findByRole('menuitem', { name: /Too long for this model/ })).not.toHaveTextContent('assumed');
  });

  it('says that some passages are left out, counting those of earlier questions of the chat', async () => {
    const earlier = { name: 'old.pdf', mediaType: 'application/pdf', bytes: 1, use: 'searched' } as const;
    const path = (passageCount: number) => ({
      'GET /api/chat/conversations/:conversationId/path': () =>
        samplePath([{ ...sampleQuestion, files: [{ ...earlier, id: fileId(9), passageCount }] }, sampleAnswer()]),
    });
    const files = [chatFile(1, { tokens: 900_000, passageCount: 3_000 })];
    await show(files, path(2_001));
    expect(await screen.findByText(/^The searched files of this chat have more than 5,000 passages/)).toBeTruthy();
  });

  it('says nothing of passages while all are searched', async () => {
    const files = [chatFile(1, { tokens: 900_000, passageCount: 5_000 }), chatFile(2, { tokens: 10, passageCount: 1 })];
    await show(files);
    await cards();
    expect(screen.queryByText(/more than 5,000 passages/)).toBeNull();
  });

  it('attaches files that are dropped on the page, or says why they can’t be attached', async () => {
    await show([]);
    await screen.findByRole('button', { name: 'Attach files' });
    const zip = new File(['x'], 'plans.zip');
    const dragged = (type: string) => {
      const event = new Event(type, { bubbles: true, cancelable: true });
      Object.assign(event, { dataTransfer: { types: ['Files'], items: [zip], files: [zip] } });
      act(() => void document.body.dispatchEvent(event));
      return event;
    };
    dragged('dragenter');
    expect(await screen.findByText('Drop 1 file to attach')).toBeTruthy();
    // Otherwise the browser would replace the chat with the file.
    expect(dragged('drop').defaultPrevented).toBe(true);
    expect(await screen.findByText(/^This kind of file can’t be used/)).toBeTruthy();
    expect(screen.queryByText('Drop 1 file to attach')).toBeNull();
  });

  it('attaches files pasted with their names as text, but no picture of copied text', async () => {
    await show([]);
    await screen.findByRole('button', { name: 'Attach files' });
    const paste = (text: string, ...names: string[]) =>
      fireEvent.paste(screen.getByRole('textbox', { name: 'Message' }), {
        clipboardData: {
          files: names.map((name) => new File(['x'], name)),
          types: ['text/plain', 'Files'],
          getData: () => text,
        },
      });
    // The event isn't prevented, so the browser pastes the text.
    expect(paste('40 cars', 'image.png')).toBe(true);
    expect(paste('a.zip', 'a.zip', 'b.zip')).toBe(true);
    expect(screen.queryByRole('list', { name: 'Attached files' })).toBeNull();
    expect(paste('a.zip\nb.zip', 'a.zip', 'b.zip')).toBe(false);
    expect(await cards()).toHaveLength(2);
    expect(paste('/home/ines/c.zip\r\n', 'c.zip')).toBe(false);
    expect(await cards()).toHaveLength(3);
  });
});

it('shows how each file of a sent question was used, as the composer does', async () => {
  const file = (n: number) =>
    ({ id: fileId(n), name: `plan-${n}.pdf`, mediaType: 'application/pdf', bytes: 1 }) as const;
  const files = [
    { ...file(1), use: 'whole', tokens: 3_120, pages: 4 },
    { ...file(2), use: 'searched', tokens: 900_000, pages: 412 },
    // Of 0.3.0.
    { ...file(3), use: 'whole' },
    { ...file(4), use: 'searched' },
  ] as const;
  await show([], {
    'GET /api/chat/conversations/:conversationId/path': () =>
      samplePath([{ ...sampleQuestion, files: [...files] }, sampleAnswer()]),
  });
  const textOf = async (n: number) => {
    const button = await screen.findByRole('button', { name: new RegExp(`^plan-${n}\\.pdf`) });
    return button.closest('li')!.textContent;
  };
  expect(await textOf(1)).toMatch(/Read in full, 3,120 tokens$/);
  expect(await textOf(2)).toMatch(/Searched, 412 pages$/);
  expect(await textOf(3)).toMatch(/Read in full$/);
  expect(await textOf(4)).toMatch(/Searched$/);
});

it('shows the files of a question, and keeps them when it is edited', async () => {
  const file = { id: fileId(1), name: 'plan-1.pdf', mediaType: 'application/pdf', bytes: 1, use: 'whole' } as const;
  const { sent } = await show([], {
    'GET /api/chat/conversations/:conversationId/path': () =>
      samplePath([{ ...sampleQuestion, files: [file] }, sampleAnswer()]),
  });
  expect(await screen.findByRole('button', { name: /^plan-1\.pdf/ })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
  const field = await screen.findByRole('textbox', { name: 'Your question' });
  await userEvent.clear(field);
  await userEvent.click(screen.getByRole('button', { name: 'Send as new version' }));
  await waitFor(() => expect(sent(sendRoute)[0]).toMatchObject({ text: '', files: [{ id: fileId(1), use: 'whole' }] }));
});
