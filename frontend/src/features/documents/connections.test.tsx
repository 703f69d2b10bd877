import { describe, expect, it, jest } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../testing/fake-api.ts';
import { sampleSite, sampleUploads } from '../../testing/connection-samples.ts';
import { sampleIds } from '../../testing/samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { DocumentsPage } from './documents-page.tsx';

const noDocuments = () => ({ items: [], nextCursor: null, counts: { all: 0, searchable: 0, failed: 0 } });
const site = sampleSite();
const { at: startedAt, failure: _none, ...counts } = site.lastSync!;
const uses = {
  items: [{ id: 'bot_00000000000000000000000001', name: 'Grid Engineer', glyph: 'bolt' }],
  everywhere: 2,
  passages: 120,
};

function show(handlers: Handlers, { search = '', items = [sampleUploads, site], isPlatformAdmin = false } = {}) {
  const api = installFakeApi({
    'GET /api/chat/connections': () => ({ items }),
    'GET /api/chat/documents': noDocuments,
    'GET /api/chat/connections/:connectionId/uses': () => uses as never,
    'GET /api/org/roles': () => ({ items: [], nextCursor: null }) as never,
    'GET /api/org/groups': () => ({ items: [], nextCursor: null }) as never,
    ...handlers,
  });
  renderInOrganisation(<DocumentsPage />, {
    path: '/:locale/settings/data-connections',
    at: `/en/settings/data-connections${search}`,
    isPlatformAdmin,
  });
  return api;
}
const at = { search: `?connection=${site.id}` };
/** On a small screen what stands beside the documents opens by the menu. */
async function openFacts(): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: 'More about this connection' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Show settings and test a search' }));
}

describe('the list of data connections', () => {
  it('tells who may read each, how much is there, how it is and when it is synced next', async () => {
    const soon = new Date(Date.now() + 10.5 * 60_000).toISOString();
    show({}, { items: [sampleUploads, sampleSite({ nextSyncAt: soon })] });
    const row = (await screen.findByText('Runbooks and wiki')).closest('tr')!;
    for (const text of ['Web site', 'Everybody', '43', '2 failed', 'In sync', 'in 11 minutes'])
      expect(within(row).getByText(text)).toBeInTheDocument();
    expect(screen.getByText('Uploaded files')).toBeInTheDocument();
    expect(screen.getByText('2 connections · 44 documents')).toBeInTheDocument();
  });

  it.each([
    ['failing', { lastSync: { ...site.lastSync!, failure: 'refused' } }, 'The source does not let Parley in.'],
    ['asking', { removal: { count: 7, of: 43 } }, '7 of 43 documents are gone from the source.'],
    ['waiting', {}, 'One sync of an organisation runs at a time.'],
    ['syncing', { progress: { ...counts, failed: 0, startedAt } }, '41 of 43 so far'],
  ] as const)('says of one that is %s what there is to know', async (state, more, text) => {
    show({}, { items: [sampleUploads, sampleSite({ state, ...(more as object) })] });
    expect(await screen.findByText(text, { exact: false })).toBeInTheDocument();
  });

  it('tells nothing to read and failed apart', async () => {
    show({}, { items: [] });
    expect(await screen.findByText(/No connections that you can read/)).toBeInTheDocument();
    show({ 'GET /api/chat/connections': () => refuse('platform.internal') });
    expect(await screen.findByText('The data connections could not be loaded')).toBeInTheDocument();
  });
});

describe('a data connection that is added', () => {
  it('is tried before it begins, and begins with what was typed', async () => {
    const api = show({
      'POST /api/chat/connections/preview': () => ({
        failure: null,
        detail: null,
        found: 12,
        seen: 14,
        bytes: 48_000,
        isComplete: true,
        skipped: 2,
        sample: [{ name: 'Relay settings', address: 'https://wiki.example.org/runbooks/relay', bytes: 4_000 }],
      }),
      'POST /api/chat/connections': () => site,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Add connection' }));
    await userEvent.click(screen.getByRole('button', { name: 'Look what would come' }));
    expect(screen.getByText('Give it a name.')).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Name'), 'Wiki');
    await userEvent.type(screen.getByLabelText('Address'), 'https://wiki.example.org/runbooks/');
    await userEvent.click(screen.getByRole('button', { name: 'Look what would come' }));
    expect(await screen.findByText(/12 documents would come, 48 kB in all. 2 cannot be read/)).toBeInTheDocument();
    expect(screen.getByText('Relay settings')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Start the sync' }));
    const made = api.calls.find(({ route }) => route === 'POST /api/chat/connections');
    expect(made?.body).toMatchObject({
      name: 'Wiki',
      schedule: 'daily',
      audience: { kind: 'everybody' },
      source: { kind: 'web', start: 'page', below: '/runbooks/', depth: 3, pages: 500 },
    });
    expect(await screen.findByRole('button', { name: 'Sync now' })).toBeInTheDocument();
  });

  it('in a private network is allowed where it is typed, by a platform admin', async () => {
    const nothing = { detail: null, found: 0, seen: 0, bytes: 0, isComplete: true, skipped: 0, sample: [] };
    let isAllowed = false;
    const handlers: Handlers = {
      'POST /api/chat/connections/preview': () => ({ ...nothing, failure: isAllowed ? null : 'not-allowed' }),
      'POST /api/chat/allowed-addresses': ({ body: { address } }) => {
        isAllowed = true;
        return { address, by: { userId: sampleIds.user, name: null }, at: startedAt };
      },
    };
    const api = show(handlers, { isPlatformAdmin: true });
    await userEvent.click(await screen.findByRole('button', { name: 'Add connection' }));
    await userEvent.type(screen.getByLabelText('Name'), 'Wiki');
    await userEvent.type(screen.getByLabelText('Address'), 'http://10.0.0.5/wiki/');
    await userEvent.click(screen.getByRole('button', { name: 'Look what would come' }));
    await userEvent.click(await screen.findByRole('button', { name: /^Allow .*10\.0\.0\.5:80/ }));
    expect(await screen.findByText(/0 documents would come/)).toBeInTheDocument();
    const allowed = api.calls.find(({ route }) => route === 'POST /api/chat/allowed-addresses');
    expect(allowed?.body).toEqual({ address: '10.0.0.5:80' });
  });

  it('says why a source cannot be read', async () => {
    show({
      'POST /api/chat/connections/preview': () => ({
        failure: 'robots',
        detail: null,
        found: 0,
        seen: 0,
        bytes: 0,
        isComplete: false,
        skipped: 0,
        sample: [],
      }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Add connection' }));
    await userEvent.type(screen.getByLabelText('Name'), 'Wiki');
    await userEvent.type(screen.getByLabelText('Address'), 'https://wiki.example.org/');
    await userEvent.click(screen.getByRole('button', { name: 'Look what would come' }));
    expect(await screen.findByText(/robots.txt doesn’t let Parley in/)).toBeInTheDocument();
  });

  it('of a bucket wants its keys', async () => {
    show({});
    await userEvent.click(await screen.findByRole('button', { name: 'Add connection' }));
    await userEvent.click(screen.getByRole('button', { name: 'S3 bucket' }));
    await userEvent.click(screen.getByRole('button', { name: 'Start the sync' }));
    expect(screen.getAllByText('It is needed.')).toHaveLength(2);
  });
});

describe('a private address that is refused on save', () => {
  const secret = { 'Access key': 'AKIA', 'Secret key': 'sesame' };
  const kinds = [
    ['Web site', { Address: 'http://10.0.0.5/wiki/' }, '10.0.0.5:80'],
    ['S3 bucket', { 'Address of the storage': 'https://10.0.0.6:9000', Bucket: 'wiki', ...secret }, '10.0.0.6:9000'],
  ] as const;
  const fill = async (kind: string, typed: Readonly<Record<string, string>>) => {
    await userEvent.click(await screen.findByRole('button', { name: 'Add connection' }));
    await userEvent.click(screen.getByRole('button', { name: kind }));
    for (const [label, text] of Object.entries({ Name: 'Wiki', ...typed })) {
      await userEvent.click(screen.getByLabelText(label));
      await userEvent.paste(text);
    }
    await userEvent.click(screen.getByRole('button', { name: 'Start the sync' }));
  };

  it.each(kinds)('is allowed there by a platform admin, and saved: %s', async (kind, typed, address) => {
    let isAllowed = false;
    const scroll = jest.spyOn(Element.prototype, 'scrollIntoView');
    const handlers: Handlers = {
      'POST /api/chat/connections': () => (isAllowed ? site : refuse('platform.address-not-allowed')),
      'POST /api/chat/allowed-addresses': ({ body: { address } }) => {
        isAllowed = true;
        return { address, by: { userId: sampleIds.user, name: null }, at: startedAt };
      },
    };
    const api = show(handlers, { isPlatformAdmin: true });
    await fill(kind, typed);
    const allow = await screen.findByRole('button', { name: /^Allow/ });
    expect(scroll.mock.contexts.some((scrolled) => (scrolled as Element).contains(allow))).toBe(true);
    await userEvent.click(allow);
    expect(await screen.findByRole('button', { name: 'Sync now' })).toBeInTheDocument();
    const allowed = api.calls.find(({ route }) => route === 'POST /api/chat/allowed-addresses');
    expect(allowed?.body).toEqual({ address });
    scroll.mockRestore();
  });

  it('tells others whom to ask, in sight', async () => {
    show({ 'POST /api/chat/connections': () => refuse('platform.address-not-allowed') });
    const [kind, typed] = kinds[0];
    await fill(kind, typed);
    expect(await screen.findByRole('alert')).toHaveTextContent(/A platform admin can allow it/);
    expect(screen.queryByRole('button', { name: /^Allow/ })).toBeNull();
  });
});

describe('one data connection', () => {
  it('waits with a removal of more than a tenth until somebody has decided', async () => {
    const asking = sampleSite({ state: 'asking', removal: { count: 7, of: 43 } });
    const api = show(
      { 'POST /api/chat/connections/:connectionId/removal': () => site },
      { ...at, items: [sampleUploads, asking] },
    );
    expect(await screen.findByText(/more than a tenth, so nothing was removed yet/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Remove 7 documents' }));
    expect(api.calls.find(({ route }) => route.endsWith('/removal'))?.body).toEqual({ remove: true });
  });

  it('retries all that failed, and pauses what runs', async () => {
    const running = sampleSite({ state: 'syncing', progress: { ...counts, startedAt } });
    const api = show(
      {
        'POST /api/chat/connections/:connectionId/retry': () => ({ count: 2 }),
        'PATCH /api/chat/connections/:connectionId': () => site,
      },
      { ...at, items: [sampleUploads, running] },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Retry 2 failed' }));
    await userEvent.click(screen.getByRole('button', { name: 'Pause syncs' }));
    expect(api.calls.find(({ route }) => route.startsWith('PATCH'))?.body).toEqual({ version: 1, isPaused: true });
  });

  it('is not overwritten where somebody else has changed it', async () => {
    show({ 'PATCH /api/chat/connections/:connectionId': () => refuseOld(site) }, at);
    await openFacts();
    await userEvent.click(await screen.findByRole('button', { name: 'Change' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText(/Somebody changed this meanwhile/)).toBeInTheDocument();
  });

  it('is searched by its scores, and says when a person may not read it', async () => {
    const passage = {
      chunkId: 'chk_00000000000000000000000001',
      documentId: 'doc_00000000000000000000000001',
      documentName: 'Relay settings',
      heading: null,
    };
    const found = {
      passages: [{ ...passage, text: 'Trips at 40 A.', score: 3.456, ranks: null }],
      connections: 1,
      milliseconds: 12,
    };
    let answer: object = found;
    show({ 'POST /api/chat/search-tests': () => answer as never }, at);
    await openFacts();
    await userEvent.type(await screen.findByLabelText('What somebody would ask'), 'earth fault');
    await userEvent.click(screen.getByRole('button', { name: 'Search' }));
    expect(await screen.findByText('Score 3.46')).toBeInTheDocument();
    expect(screen.getByText('1 passage in 12 ms')).toBeInTheDocument();
    expect(screen.queryByText(/by meaning/)).toBeNull();
    answer = {
      ...found,
      passages: [{ ...passage, text: 'It opens.', score: 0.49, ranks: { words: null, meaning: 2 } }],
    };
    await userEvent.click(screen.getByRole('button', { name: 'Search' }));
    expect(await screen.findByText('Score 0.49 · by words: not found · by meaning: 2')).toBeInTheDocument();
    answer = { passages: [], connections: 0, milliseconds: 1 };
    await userEvent.click(screen.getByRole('button', { name: 'Search' }));
    expect(await screen.findByText('This person can’t read this connection.')).toBeInTheDocument();
  });

  it('says what goes with it before it is deleted', async () => {
    const api = show({ 'DELETE /api/chat/connections/:connectionId': () => undefined }, at);
    await userEvent.click(await screen.findByRole('button', { name: 'More about this connection' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete connection' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText(/43 documents with 120 passages go with it for good/)).toBeInTheDocument();
    expect(within(dialog).getByText(/These chatbots name it: Grid Engineer/)).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete connection' }));
    expect(api.calls.some(({ route }) => route.startsWith('DELETE'))).toBe(true);
  });
});
