import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChunkId, Citation, FileId, OpenedDocument } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleAnswer, sampleIds, sampleModel, sampleQuestion, samplePath } from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

const chunkId = 'chk_00000000000000000000000001' as ChunkId;
const at = '2026-11-21T10:41:00.000Z';
const citation: Citation = {
  number: 1,
  documentId: sampleIds.document,
  chunkId,
  documentName: 'Runbook.docx',
  heading: 'VPN',
  place: { kind: 'sheet', number: 2 },
};
const opened: OpenedDocument = {
  id: sampleIds.document,
  name: 'Runbook.docx',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  bytes: 3200,
  storedAt: '2026-11-24T10:41:00.000Z',
  isAhead: false,
  hasFile: true,
  deletedAt: null,
  webAddress: null,
};
const documentRoute = 'GET /api/chat/documents/:documentId';
const passageRoute = 'GET /api/chat/passages/:chunkId';
const textRoute = 'GET /api/chat/documents/:documentId/text';
const passage = { ...citation, before: '', text: 'It was replaced at 22:00.', after: '', asOf: at, indexedAt: at };
const { number: _number, ...found } = passage;

async function show(
  document: Partial<OpenedDocument> = {},
  more: Handlers = {},
  { role = 'owner', cited = citation }: { role?: OrgRole; cited?: Citation } = {},
) {
  installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => ({
      ...samplePath([sampleQuestion, sampleAnswer({}, { text: 'The certificate. [1]', citations: [cited] })]),
      title: 'VPN',
    }),
    [passageRoute]: () => found,
    [documentRoute]: () => ({ ...opened, ...document }),
    ...more,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}`, role },
  );
  await userEvent.click(await screen.findByRole('button', { name: /Source 1|^1/ }));
}
const gone: Handlers = { [passageRoute]: () => refuse('chat.passage-not-found') };

beforeEach(() => localStorage.clear());

describe('opening a source', () => {
  it('opens the text that the model read, with its location and headings, and returns the focus', async () => {
    await show(
      {},
      {
        [textRoute]: ({ query }) => ({
          passages: [
            { chunkId, heading: 'VPN', place: { kind: 'sheet', number: 2 }, text: 'It was replaced at 22:00.' },
            {
              chunkId: 'chk_00000000000000000000000002' as ChunkId,
              heading: 'VPN',
              place: { kind: 'sheet', number: 2 },
              text: `Asked for ${query.chunkId}.`,
            },
          ],
          previous: null,
          next: null,
        }),
      },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Open document' }));
    expect(await screen.findByText(`Asked for ${chunkId}.`)).toBeInTheDocument();
    expect(screen.getAllByRole('heading', { name: 'VPN', level: 4 })).toHaveLength(1);
    expect(screen.getByRole('heading', { name: 'Sheet 2' })).toBeInTheDocument();
    expect(screen.getByText('It was replaced at 22:00.').tagName).toBe('MARK');
    expect(screen.getByRole('button', { name: 'Close document' })).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open document' })).toHaveFocus());
  });

  it('puts the passage below the typed text, and the cursor after it', async () => {
    await show();
    await userEvent.type(screen.getByLabelText('Message'), 'Is this so?');
    await userEvent.click(await screen.findByRole('button', { name: 'Quote' }));
    const field = screen.getByLabelText('Message');
    expect(field).toHaveValue('Is this so?\n\n> It was replaced at 22:00.\n>\n> — Runbook.docx, Sheet 2\n\n');
    expect(field).toHaveFocus();
  });

  it('opens a web page in a new tab that learns nothing of this one', async () => {
    await show({ webAddress: 'https://docs.example/vpn?x=1' });
    const link = await screen.findByRole('link', { name: /docs\.example\/vpn\?x=1/ });
    expect(['href', 'target', 'rel', 'referrerpolicy'].map((name) => link.getAttribute(name))).toEqual([
      'https://docs.example/vpn?x=1',
      '_blank',
      'noopener noreferrer',
      'no-referrer',
    ]);
  });

  it('offers no quoting to people who can only read', async () => {
    await show({}, {}, { role: 'guest' });
    expect(await screen.findByRole('button', { name: 'Open document' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Quote' })).toBeNull();
  });
});

describe('a source that is a file of the chat', () => {
  const fileId = 'fil_00000000000000000000000001' as FileId;
  const cited = { ...citation, fileId };
  const file: Handlers = {
    'GET /api/chat/files/:fileId/passages/:chunkId': () => ({
      fileId,
      chunkId,
      name: 'Runbook.docx',
      heading: 'VPN',
      before: '',
      text: 'It was replaced at 22:00.',
      after: '',
    }),
    'GET /api/chat/files/:fileId': () => ({
      id: fileId,
      name: 'Runbook.docx',
      mediaType: opened.mediaType,
      bytes: 3200,
      createdAt: at,
    }),
    'GET /api/chat/files/:fileId/text': () => ({
      passages: [
        { chunkId: 'chk_00000000000000000000000002' as ChunkId, heading: null, text: 'The one before.' },
        { chunkId, heading: 'VPN', text: 'It was replaced at 22:00.' },
      ],
      previous: null,
      next: null,
    }),
  };

  it('opens a file like a document, and returns the focus', async () => {
    await show({}, file, { cited });
    await userEvent.click(await screen.findByRole('button', { name: 'Open file' }));
    expect(await screen.findByText('The one before.')).toBeInTheDocument();
    expect(screen.getByText('It was replaced at 22:00.').closest('mark')).not.toBeNull();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open file' })).toHaveFocus());
  });

  it('says if the person can’t know whether the file exists', async () => {
    await show({}, { ...file, 'GET /api/chat/files/:fileId': () => refuse('chat.file-not-found') }, { cited });
    await userEvent.click(await screen.findByRole('button', { name: 'Open file' }));
    expect(await screen.findByText("This document was deleted, or you don't have access to it.")).toBeInTheDocument();
  });
});

describe('a source that differs from the cited one', () => {
  it('says that its document was replaced: the passage is of the earlier version, or gone', async () => {
    await show({ isAhead: true });
    expect(await screen.findByText(/replaced on Nov 24, 2026\. The passage is from the earlier/)).toBeInTheDocument();
    expect(screen.getByText('It was replaced at 22:00.')).toBeInTheDocument();
  });

  it('says that the newer version has other passages', async () => {
    await show({}, gone);
    expect(await screen.findByText(/replaced on Nov 24, 2026\. It no longer contains/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Open document' })).toBeInTheDocument();
  });

  it('says that the document was deleted, and offers no action that would fail', async () => {
    await show({ deletedAt: at }, gone);
    expect(await screen.findByText(/was deleted on Nov 21, 2026/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Open document|Quote|Download/ })).toBeNull();
  });

  it('says if the person can’t know whether the document exists', async () => {
    await show({}, { ...gone, [documentRoute]: () => refuse('chat.document-not-found') });
    expect(await screen.findByRole('alert')).toHaveTextContent(
      "This document was deleted, or you don't have access to it.",
    );
  });

  it('says that the original isn’t stored', async () => {
    await show({ hasFile: false });
    expect(await screen.findByRole('button', { name: 'The original file is not kept' })).toBeDisabled();
  });
});
