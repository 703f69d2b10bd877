import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatFile, FileId, MessageFile, Model, ModelKey } from '@parley/contracts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import { sampleAnswer, sampleIds, sampleModel, samplePath, sampleQuestion } from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('./pending-sends-context.tsx');

const fileId = (n: number) => `fil_${String(n).padStart(26, '0')}` as FileId;
const photo = (n: number, more: Partial<ChatFile> = {}): ChatFile => ({
  id: fileId(n),
  name: `panel-${n}.jpg`,
  mediaType: 'image/jpeg',
  bytes: 2_100_000,
  status: 'ready',
  failure: null,
  progress: null,
  tokens: null,
  image: { width: 1_500, height: 1_000, bytes: 900_000 },
  pages: null,
  passageCount: 0,
  createdAt: '2026-11-21T10:42:00.000Z',
  version: 1,
  ...more,
});
const provider = `prv_${'1'.repeat(26)}`;
const modelOf = (label: string, accepts: 'yes' | 'no' | 'unknown', isDefault = false): Model => ({
  key: `${provider}/${label}` as ModelKey,
  label,
  providerName: 'Lindmoor models',
  isDefault,
  context: { tokens: 20_000, isAssumed: false },
  images: { accepts },
});
const sent = (n: number, more: Partial<MessageFile> = {}): MessageFile => ({
  id: fileId(n),
  name: `panel-${n}.jpg`,
  mediaType: 'image/jpeg',
  bytes: 2_100_000,
  use: 'image',
  ...more,
});

const addresses = new Set<string>();
let made = 0;

type Scene = {
  files?: readonly ChatFile[];
  models?: readonly Model[];
  asked?: readonly MessageFile[];
  answer?: Parameters<typeof sampleAnswer>[0];
  more?: Handlers;
};

/** Opens a chat whose draft has files, and whose question had some. */
async function show({
  files = [],
  models = [modelOf('atlas', 'yes', true)],
  asked = [],
  answer = {},
  more = {},
}: Scene) {
  const draft = { text: '', revision: 1, others: [], files: files.map(({ id }) => id) };
  const question = asked.length > 0 ? { ...sampleQuestion, files: [...asked] } : sampleQuestion;
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [...models], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([question, sampleAnswer(answer)]),
    'GET /api/chat/drafts/:where': () => draft,
    'PUT /api/chat/drafts/:where': ({ body }) => ({ ...draft, ...body, others: [], revision: 2 }),
    'GET /api/chat/files': () => ({ items: [...files] }),
    'GET /api/chat/files/:fileId/image': () => new Uint8Array([1]),
    ...more,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  await screen.findByText('What changed?');
  return api;
}

const cards = async () => within(await screen.findByRole('list', { name: 'Attached files' })).getAllByRole('listitem');
const composer = async () => {
  await screen.findByRole('button', { name: 'Attach files' });
  return screen.getByRole('textbox', { name: 'Message' });
};
/** Simulates pasting, because jsdom has no clipboard with files. */
const paste = async (...files: readonly File[]) =>
  fireEvent.paste(await composer(), { clipboardData: { files, types: ['Files'] } });

/** Sends nothing, so uploads never end. */
class SilentRequest extends EventTarget {
  readonly upload = new EventTarget();
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  abort(): void {}
}

beforeEach(() => {
  localStorage.clear();
  globalThis.XMLHttpRequest = SilentRequest as unknown as typeof XMLHttpRequest;
  socket.current = new FakeSocket();
  addresses.clear();
  URL.createObjectURL = () => {
    const address = `blob:${made++}`;
    addresses.add(address);
    return address;
  };
  URL.revokeObjectURL = (address) => addresses.delete(address);
});

describe('choosing images', () => {
  it('names pasted images without a name by the minute, and shows them while they are uploaded', async () => {
    await show({});
    await paste(new File(['x'], 'image.png', { type: 'image/png' }));
    const [card] = await cards();
    expect(within(card!).getByText(/^Screenshot \d{4}-\d\d-\d\d \d\d\.\d\d\.png$/)).toBeTruthy();
    expect(card!.querySelector('img')?.src).toMatch(/^blob:/);
    await userEvent.click(within(card!).getByRole('button', { name: /^Remove Screenshot/ }));
    await waitFor(() => expect(addresses.size).toBe(0));
  });

  it('refuses HEIC and SVG images with advice, and never shows them', async () => {
    await show({});
    await paste(new File(['x'], 'Photo.HEIC', { type: 'image/heic' }), new File(['x'], 'logo.svg'));
    const [heic, svg] = await cards();
    expect(within(heic!).getByRole('alert')).toHaveTextContent(/^HEIC images can’t be used here\. Save it as JPEG/);
    expect(within(svg!).getByRole('alert')).toHaveTextContent(/Save it as PNG, JPEG, WebP, GIF or AVIF/);
    expect([heic!.querySelector('img'), svg!.querySelector('img')]).toEqual([null, null]);
  });

  it('says why the server couldn’t read an image, and offers no retry', async () => {
    const failed = { status: 'failed', image: null } as const;
    await show({
      files: [
        photo(1, { ...failed, failure: 'image-too-large' }),
        photo(2, { ...failed, failure: 'image-unreadable' }),
        photo(3, { ...failed, failure: 'took-too-much-memory' }),
      ],
    });
    const [large, broken, heavy] = await cards();
    expect(within(heavy!).getByRole('alert')).toHaveTextContent(/^Reading this image took too much memory/);
    expect(within(large!).getByRole('alert')).toHaveTextContent(/more than 100 megapixels/);
    expect(within(broken!).getByRole('alert')).toHaveTextContent(/^This image can’t be read/);
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });
});

describe('an image whose processing took too long', () => {
  it('reads an image once more that took too long', async () => {
    await show({ files: [photo(1, { status: 'failed', image: null, failure: 'took-too-long' })] });
    const [card] = await cards();
    expect(within(card!).getByRole('alert')).toHaveTextContent(/^Reading this image took longer than 30 seconds/);
    expect(within(card!).getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});

describe('images of a draft', () => {
  it('says that images are seen, and how many tokens each adds to every question', async () => {
    const api = await show({ files: [photo(1)] });
    const [card] = await cards();
    expect(within(card!).getByText('Seen as image')).toBeTruthy();
    expect(within(card!).getByText('2.1 MB · 3,700 tokens')).toBeTruthy();
    expect(screen.getByText('19% of context')).toBeTruthy();
    expect(within(card!).queryByRole('button', { name: /Seen/ })).toBeNull();
    await waitFor(() => expect(card!.querySelector('img')?.src).toMatch(/^blob:/));
    const [call] = api.calls.filter(({ route }) => route === 'GET /api/chat/files/:fileId/image');
    expect(call!.headers['parley-org']).toBe(sampleIds.org);
  });

  it('says that a model doesn’t accept images, also in menus, and sends them all the same', async () => {
    const models = [modelOf('small', 'no', true), modelOf('atlas', 'yes')];
    await show({ files: [photo(1)], models });
    const [card] = await cards();
    expect(within(card!).getByText('Not seen: small doesn’t accept images')).toBeTruthy();
    expect(within(card!).getByText('2.1 MB')).toBeTruthy();
    expect(screen.getByText(/^small is told that there are images, but doesn’t see them/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Send message' })).not.toHaveAttribute('aria-disabled');
    await userEvent.click(screen.getByRole('button', { name: /^Model: small/ }));
    expect(await screen.findByRole('menuitem', { name: /^small.*Doesn’t accept images/ })).toBeTruthy();
    await userEvent.click(screen.getByRole('menuitem', { name: 'atlas Lindmoor models' }));
    expect(await within(card!).findByText('Seen as image')).toBeTruthy();
    expect(screen.queryByText(/is told that there are images/)).toBeNull();
  });

  it('says that the built-in assistant sees no images, and that an unknown model may not', async () => {
    await show({ files: [photo(1)], models: [{ ...sampleModel, images: null }] });
    expect(await screen.findByText('Not seen: Built-in assistant doesn’t accept images')).toBeTruthy();
  });

  it('doesn’t count images beyond half of the context, and says that they aren’t seen', async () => {
    const models = [{ ...modelOf('atlas', 'yes', true), context: { tokens: 16_000, isAssumed: true } }];
    await show({ files: Array.from({ length: 20 }, (_unused, at) => photo(at + 1)), models });
    const uses = (await cards()).map((card) => within(card).getByText(/^(Seen|Not seen)/).textContent);
    expect(uses).toEqual([
      ...Array<string>(2).fill('Seen as image'),
      ...Array<string>(18).fill('Not seen: no room for it'),
    ]);
    expect(screen.getByText('46% of context')).toBeTruthy();
  });

  it('says that a model of unknown support may see the images', async () => {
    await show({ files: [photo(1)], models: [modelOf('atlas', 'unknown', true)] });
    expect(await screen.findByText('Seen as image')).toBeTruthy();
    expect(screen.getByText(/^It isn’t known whether atlas accepts images/)).toBeTruthy();
  });
});

describe('images of a question', () => {
  const pdf = sent(3, { name: 'manual.pdf', mediaType: 'application/pdf', use: 'searched' });

  it('shows images small before other files, and large in a dialog that returns the focus', async () => {
    await show({ asked: [pdf, sent(1), sent(2)] });
    const first = (await screen.findByRole('img', { name: 'panel-1.jpg' })).closest('button')!;
    expect(screen.getAllByText('Seen as image')).toHaveLength(2);
    expect(screen.getByRole('button', { name: /^manual\.pdf/ })).toBeTruthy();
    await userEvent.click(first);
    const dialog = await screen.findByRole('dialog', { name: 'panel-1.jpg' });
    expect(within(dialog).getByText('1 of 2')).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Previous image' })).toHaveAttribute('aria-disabled', 'true');
    await userEvent.keyboard('{ArrowRight}{ArrowRight}');
    expect(await screen.findByRole('dialog', { name: 'panel-2.jpg' })).toBeTruthy();
    await userEvent.keyboard('{ArrowLeft}');
    expect(await screen.findByRole('dialog', { name: 'panel-1.jpg' })).toBeTruthy();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(first).toHaveFocus();
  });

  it('shows images that can’t be loaded or displayed as files to download', async () => {
    await show({
      asked: [sent(1), sent(2)],
      more: {
        'GET /api/chat/files/:fileId/image': ({ params }) =>
          params.fileId === fileId(1) ? refuse('chat.file-not-found') : new Uint8Array([1]),
      },
    });
    const card = async (name: RegExp) => (await screen.findByText(name, { selector: 'bdi' })).closest('button');
    expect(await card(/^panel-1/)).toHaveAttribute('aria-description', 'Download');
    fireEvent.error(await screen.findByRole('img', { name: 'panel-2.jpg' }));
    expect(await card(/^panel-2/)).toHaveAttribute('aria-description', 'Download');
  });

  it('says that the model saw no images, and which models in the menu don’t accept them', async () => {
    await show({ asked: [sent(1)], models: [{ ...sampleModel, images: null }, modelOf('atlas', 'yes')] });
    expect(await screen.findByText('Given as a note')).toBeTruthy();
    const answer = screen.getAllByRole('article')[1]!;
    await userEvent.click(within(answer).getByRole('button', { name: 'More' }));
    await userEvent.hover(await screen.findByRole('menuitem', { name: 'Ask again with…' }));
    expect(await screen.findByRole('menuitem', { name: /^Built-in assistant.*Doesn’t accept images/ })).toBeTruthy();
    expect(screen.getByRole('menuitem', { name: 'atlas' })).toBeTruthy();
  });

  it.each([
    ['note', 'Given as a note'],
    ['refused', 'Refused by the model'],
  ] as const)('says how images were sent (%s), whatever the model accepts now', async (images, words) => {
    const model = modelOf('atlas', 'yes', true);
    await show({ asked: [sent(1)], models: [model], answer: { model: { key: model.key, label: 'atlas' }, images } });
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.queryByText('Seen as image')).toBeNull();
  });

  it('says which images had no room beside others', async () => {
    const model = modelOf('atlas', 'yes', true);
    const answer = { model: { key: model.key, label: 'atlas' }, leftOut: [fileId(2)] };
    await show({ asked: [sent(1), sent(2)], models: [model], answer });
    expect(await screen.findAllByText('Seen as image')).toHaveLength(1);
    expect(screen.getByText('Not seen: no room for it')).toBeTruthy();
  });
});
