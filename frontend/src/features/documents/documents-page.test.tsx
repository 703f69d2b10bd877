import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { loseConnectionForLong, withPassingTime } from '../../testing/lost-connection.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleUploads } from '../../testing/connection-samples.ts';
import { sampleDocument } from '../../testing/samples.ts';
import { DocumentsPage } from './documents-page.tsx';
import { refusalOf } from './uploads.ts';

const counts = { all: 1, searchable: 1, failed: 0 };

/** Nothing but what is uploaded, so that its documents stand on the page. */
const connections = { items: [sampleUploads] };

function show(handlers: Handlers, { search = '' }: { search?: string } = {}) {
  const api = installFakeApi({ 'GET /api/chat/connections': () => connections, ...handlers });
  renderInOrganisation(<DocumentsPage />, {
    path: '/:locale/settings/data-connections',
    at: `/en/settings/data-connections${search}`,
  });
  return api;
}

describe('data connections', () => {
  it('lists documents with their state and counts', async () => {
    show({ 'GET /api/chat/documents': () => ({ items: [sampleDocument], nextCursor: null, counts }) });
    expect(await screen.findByText('Runbook.md')).toBeInTheDocument();
    expect(screen.getByText('1 of 1 document')).toBeInTheDocument();
  });

  it('begins in its first field, but takes nobody away who is at something in the page', async () => {
    show({ 'GET /api/chat/documents': () => ({ items: [sampleDocument], nextCursor: null, counts }) });
    expect(await screen.findByLabelText('Name of a document')).toHaveFocus();
    const page = document.body.appendChild(document.createElement('main'));
    const busy = page.appendChild(document.createElement('button'));
    busy.focus();
    show({ 'GET /api/chat/documents': () => ({ items: [sampleDocument], nextCursor: null, counts }) });
    await waitFor(() => expect(screen.getAllByLabelText('Name of a document')).toHaveLength(2));
    expect(busy).toHaveFocus();
    page.remove();
  });

  it('words the failure and reads again on request', async () => {
    const api = show({
      'GET /api/chat/documents': () => ({
        items: [{ ...sampleDocument, status: 'failed', failure: 'not-utf8' }],
        nextCursor: null,
        counts,
      }),
      'POST /api/chat/documents/:documentId/retry': () => sampleDocument,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Read Runbook.md again' }));
    expect(screen.getByText(/It is not UTF-8 text/)).toBeInTheDocument();
    expect(api.calls.some(({ route }) => route === 'POST /api/chat/documents/:documentId/retry')).toBe(true);
  });

  it('says of a mail which attachments were not read, and why', async () => {
    const unreadAttachments = [
      { name: 'rent.pdf', flaw: 'encrypted' },
      { name: 'plan.zip', flaw: 'kind-not-read' },
    ] as const;
    const items = [{ ...sampleDocument, name: 'Rent.eml', unreadAttachments: [...unreadAttachments] }];
    show({ 'GET /api/chat/documents': () => ({ items, nextCursor: null, counts }) });
    await userEvent.click(await screen.findByText('2 attachments were not read'));
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([
        'rent.pdf: It is protected by a password. Upload a copy without one.',
        'plan.zip: Attachments of this kind are not read. Save it in another format and upload that.',
      ]),
    );
  });

  it('says how far a document is, and that the earlier version is quoted meanwhile', async () => {
    const progress = { stage: 'indexing', done: 400, of: 1_491 } as const;
    const items = [{ ...sampleDocument, status: 'reading' as const, progress }];
    show({ 'GET /api/chat/documents': () => ({ items, nextCursor: null, counts }) });
    expect(await screen.findByText('Cut into 1,491 passages, 400 indexed')).toBeInTheDocument();
    expect(screen.getByRole('progressbar')).toHaveAttribute('max', '1491');
    expect(screen.getByText('Answers still quote the version before.')).toBeInTheDocument();
  });

  it('reads the list again while a document is read, and no longer', async () => {
    const asked = { reading: 0, searchable: 0 };
    let status: keyof typeof asked = 'reading';
    show({
      'GET /api/chat/documents': () => {
        asked[status] += 1;
        return { items: [{ ...sampleDocument, status }], nextCursor: null, counts };
      },
    });
    await waitFor(() => expect(asked.reading).toBeGreaterThan(1));
    status = 'searchable';
    await waitFor(() => expect(asked.searchable).toBe(1));
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(asked.searchable).toBe(1);
  });

  it('saves the original of a document, and says where nobody gives it', async () => {
    show({
      'GET /api/chat/documents': () => ({ items: [sampleDocument], nextCursor: null, counts }),
      'GET /api/chat/documents/:documentId/content': () => refuse('chat.document-not-found') as never,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Download Runbook.md' }));
    expect(await screen.findByText(/was deleted, or you don't have access/)).toBeInTheDocument();
  });

  it('deletes at once and undoes', async () => {
    const api = show({
      'GET /api/chat/documents': () => ({ items: [sampleDocument], nextCursor: null, counts }),
      'DELETE /api/chat/documents/:documentId': () => undefined,
      'POST /api/chat/documents/:documentId/restore': () => sampleDocument,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Delete Runbook.md' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(api.calls.map(({ route }) => route)).toContain('POST /api/chat/documents/:documentId/restore');
  });

  it('tells empty, no match, error and no permission apart', async () => {
    show({
      'GET /api/chat/documents': () => ({ items: [], nextCursor: null, counts: { all: 0, searchable: 0, failed: 0 } }),
    });
    expect(await screen.findByText('No documents yet')).toBeInTheDocument();
    show({ 'GET /api/chat/documents': () => ({ items: [], nextCursor: null, counts }) }, { search: '?status=failed' });
    expect(await screen.findByText('No document matches')).toBeInTheDocument();
    show({ 'GET /api/chat/documents': () => refuse('platform.internal') });
    expect(await screen.findByText('The documents could not be loaded')).toBeInTheDocument();
    show({ 'GET /api/chat/documents': () => refuse('platform.forbidden') });
    expect(await screen.findByText('You cannot see this')).toBeInTheDocument();
  });
});

it('a document opens from its row and gives the focus back when it is closed', async () => {
  const opened = { id: sampleDocument.id, name: 'Runbook.md', mediaType: 'text/markdown', bytes: 10 } as const;
  const now = { storedAt: sampleDocument.createdAt, isAhead: false, hasFile: true, deletedAt: null, webAddress: null };
  show({
    'GET /api/chat/documents': () => ({ items: [sampleDocument], nextCursor: null, counts }),
    'GET /api/chat/documents/:documentId': () => ({ ...opened, ...now }),
    'GET /api/chat/documents/:documentId/text': () => ({ passages: [], previous: null, next: null }),
  });
  const name = await screen.findByRole('link', { name: 'Runbook.md' });
  await userEvent.click(name);
  expect(await screen.findByRole('complementary', { name: 'Runbook.md' })).toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('complementary', { name: 'Runbook.md' })).toBeNull();
  expect(name).toHaveFocus();
});

describe('the filters of data connections', () => {
  it('stand in the address, are asked of the server, and are gone with one click', async () => {
    const asked: unknown[] = [];
    show(
      {
        'GET /api/chat/documents': ({ query }) => {
          asked.push(query);
          return { items: query.status ? [] : [sampleDocument], nextCursor: null, counts };
        },
      },
      { search: '?status=failed&name=run' },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByText('Runbook.md')).toBeInTheDocument();
    const connectionId = sampleUploads.id;
    expect(asked).toEqual([{ name: 'run', status: 'failed', connectionId }, { connectionId }]);
  });

  it('that nobody offers count as not set', async () => {
    const asked: unknown[] = [];
    show(
      {
        'GET /api/chat/documents': ({ query }) => {
          asked.push(query);
          return { items: [sampleDocument], nextCursor: null, counts };
        },
      },
      { search: '?status=lost' },
    );
    expect(await screen.findByText('Runbook.md')).toBeInTheDocument();
    expect(asked).toEqual([{ connectionId: sampleUploads.id }]);
  });
});

describe('data connections after a long loss of the connection', () => {
  const person = withPassingTime();

  it('dates the rows, switches actions off and says why', async () => {
    const api = show({
      'GET /api/chat/documents': () => ({ items: [sampleDocument], nextCursor: null, counts }),
      'DELETE /api/chat/documents/:documentId': () => undefined,
    });
    const remove = await screen.findByRole('button', { name: 'Delete Runbook.md' });
    expect(remove).not.toHaveAttribute('aria-disabled');
    await loseConnectionForLong();
    expect(
      screen.getByText(/^Live updates stopped at \d\d:\d\d\. Actions are off until the connection is back\.$/),
    ).toBeInTheDocument();
    expect(remove).toHaveAttribute('aria-disabled', 'true');
    expect(remove).toHaveAccessibleDescription('Off until the connection is back');
    await person.click(remove);
    expect(api.calls.map(({ route }) => route)).not.toContain('DELETE /api/chat/documents/:documentId');
    expect(screen.getByRole('button', { name: 'Upload files' })).toHaveAttribute('aria-disabled', 'true');
  });
});

it('checks files before a byte is sent', () => {
  expect(refusalOf({ name: 'a.MD', size: 10 })).toBeUndefined();
  expect(refusalOf({ name: 'a.doc', size: 10 })).toBe('type');
  expect(refusalOf({ name: 'A.PDF', size: 10 })).toBeUndefined();
  expect(refusalOf({ name: 'a.txt', size: 25_000_001 })).toBe('size');
  expect(refusalOf({ name: 'a.html', size: 0 })).toBe('empty');
});
