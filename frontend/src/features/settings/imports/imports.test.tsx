import { expect, it } from '@jest/globals';
import type { ChatImport, ImportId, ImportReport } from '@parley/contracts';
import { importPartBytes } from '@parley/contracts/names';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { ImportSections } from './import-section.tsx';

const list = 'GET /api/chat/imports';
const of = 'api/chat/imports/:importId';
const report: ImportReport = {
  chats: { found: 1_204, toImport: 992, known: 209, grown: 4, deleted: 12, empty: 0, broken: 3 },
  messages: { found: 38_112, toImport: 31_480 },
  branches: { found: 316, toImport: 281 },
  files: { found: 842, toImport: 702, missing: 41, unsupported: 12 },
  others: [{ kind: 'custom-chatbots', count: 6, names: ['Tutor', 'Chef'] }],
};
const nothing = { chats: 0, messages: 0, branches: 0, files: 0 };
const sample = (some: Partial<ChatImport>): ChatImport => ({
  id: `imp_${'1'.repeat(26)}` as ImportId,
  files: [{ name: 'chatgpt.zip', bytes: 2 * importPartBytes + 10, received: [1] }],
  status: 'uploading',
  failure: null,
  source: null,
  report: null,
  progress: null,
  imported: nothing,
  losses: 0,
  createdAt: '2026-11-20T10:00:00.000Z',
  checkedMs: null,
  expiresAt: '2026-11-27T10:00:00.000Z',
  ...some,
});

function show(items: ChatImport[], handlers: Handlers = {}) {
  const api = installFakeApi({ [list]: () => ({ items, nextCursor: null, mostBytes: 2_000_000_000 }), ...handlers });
  renderInOrganisation(<ImportSections />, { path: '/:locale/settings', at: '/en/settings?tab=data' });
  return api;
}
const sent = ({ calls }: ReturnType<typeof show>, route: string) => calls.filter((call) => call.route === route);

it('says from where chats can come and how much an upload can have, while there is none', async () => {
  show([]);
  expect(await screen.findByText('From ChatGPT, Claude, Open WebUI, LibreChat or Parley')).toBeInTheDocument();
  expect(screen.getByText(/up to 2 GB/)).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Running import' })).toBeNull();
});

it('says why an upload is refused', async () => {
  show([], { 'POST /api/chat/imports': () => refuse('platform.unavailable') });
  await userEvent.upload(await screen.findByLabelText('Export files'), new File(['{}'], 'chats.json'));
  expect(await screen.findByRole('alert')).toHaveTextContent(/try again/i);
});

it('shows how much of an upload is here, and how it is continued', async () => {
  show([sample({})]);
  const card = within(await screen.findByRole('article', { name: 'chatgpt.zip' }));
  expect(card.getByRole('progressbar', { name: '8.4 MB of 17 MB uploaded' })).toBeInTheDocument();
  expect(card.getByText(/Choose the same files again/)).toBeInTheDocument();
});

it('imports what a check has found, with what was deleted here only where that is wanted', async () => {
  const api = show([sample({ status: 'checked', source: 'chatgpt', report, losses: 56, checkedMs: 41_000 })], {
    [`POST /${of}/start`]: () => sample({ status: 'importing' }),
  });
  const source = await screen.findByText('ChatGPT', { selector: 'bdi' });
  expect(source.parentElement).toHaveTextContent(/^ChatGPT · 17 MB · checked in 41 s$/);
  const rowOf = (name: string) => screen.getByRole('rowheader', { name }).closest('tr')!;
  expect(rowOf('Chats')).toHaveTextContent(/209 already imported · 12 deleted here · 3 can’t be read$/);
  expect(rowOf('Files')).toHaveTextContent(
    /87 already here or in skipped chats · 41 not in the export · 12 of an unsupported type$/,
  );
  expect(rowOf('Custom GPTs')).toHaveTextContent(/Can’t be imported · Tutor · Chef · and 4 more$/);
  await userEvent.click(screen.getByRole('checkbox', { name: 'Also import 12 chats that you deleted here' }));
  await userEvent.click(screen.getByRole('button', { name: 'Import 1,004 chats' }));
  await waitFor(() => expect(sent(api, `POST /${of}/start`)).toMatchObject([{ body: { again: true } }]));
});

it('says of chats without messages that they are empty, and not that they can’t be read', async () => {
  const found = { ...report, chats: { ...report.chats, known: 0, grown: 0, deleted: 0, empty: 2, broken: 1 } };
  show([sample({ status: 'checked', source: 'chatgpt', report: found, losses: 3 })]);
  const row = (await screen.findByRole('rowheader', { name: 'Chats' })).closest('tr');
  expect(row).toHaveTextContent(/2 without messages · 1 can’t be read$/);
  expect(screen.getByText('nothing imported yet')).toBeInTheDocument();
});

it('shows how far a running import is, and pauses it', async () => {
  const running = sample({ status: 'importing', progress: { chats: 412, of: 1_028 }, losses: 2 });
  const api = show([running], { [`POST /${of}/pause`]: () => ({ ...running, status: 'paused' }) });
  expect(await screen.findByText('412 of 1,028 chats')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Show 2 items that weren’t imported' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }));
  await waitFor(() => expect(sent(api, `POST /${of}/pause`)).toHaveLength(1));
});

it('lists what is not imported, with the reason and a way to its message', async () => {
  show([sample({ status: 'done', source: 'claude', losses: 1, imported: { ...nothing, chats: 3, messages: 40 } })], {
    [`GET /${of}/losses`]: () => ({
      items: [
        {
          chatTitle: 'VPN',
          reason: 'file-not-in-export',
          name: 'plan.pdf',
          conversationId: `cnv_${'3'.repeat(26)}` as never,
          messageId: `msg_${'3'.repeat(26)}` as never,
        },
      ],
      nextCursor: null,
    }),
  });
  const source = await screen.findByText('Claude', { selector: 'bdi' });
  expect(source.parentElement).toHaveTextContent(/Claude · .* · 3 chats · 40 messages · 0 files/);
  await userEvent.click(screen.getByRole('button', { name: 'Show 1 item that wasn’t imported' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Not imported' }));
  expect(await dialog.findByText('plan.pdf')).toBeInTheDocument();
  expect(dialog.getByText(/Not in the export/)).toBeInTheDocument();
  expect(dialog.getByRole('link', { name: 'VPN' })).toHaveAttribute('href', expect.stringContaining('#msg_'));
});

it('says what to do with what is no export, and removes it', async () => {
  const api = show([sample({ status: 'failed', failure: 'not-an-export' })], { [`DELETE /${of}`]: () => undefined });
  expect(await screen.findByText(/isn’t an export of ChatGPT/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(sent(api, `DELETE /${of}`)).toHaveLength(1));
});

const grownOnly: ImportReport = {
  ...report,
  chats: { found: 5, toImport: 0, known: 3, grown: 2, deleted: 0, empty: 0, broken: 0 },
  messages: { found: 40, toImport: 3 },
};

it('adds new messages to known chats, and says how many', async () => {
  const checked = sample({ status: 'checked', source: 'chatgpt', report: grownOnly, checkedMs: 4_000 });
  const api = show([checked], { [`POST /${of}/start`]: () => ({ ...checked, status: 'importing' }) });
  const row = within((await screen.findByRole('rowheader', { name: 'Chats' })).closest('tr')!);
  expect(row.getByText('3 already imported')).toBeInTheDocument();
  expect(screen.getByText('Adds 3 messages to 2 chats')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Add what is new' }));
  await waitFor(() => expect(sent(api, `POST /${of}/start`)).toHaveLength(1));
});

it('tries a failed import again while its upload is here', async () => {
  const failed = sample({ status: 'failed', failure: 'internal', source: 'chatgpt', report });
  const api = show([failed], { [`POST /${of}/start`]: () => ({ ...failed, status: 'importing' }) });
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(sent(api, `POST /${of}/start`)).toMatchObject([{ body: { again: false } }]));
});

it('says of a failed import how many chats are missing, and doesn’t list it as imported', async () => {
  const some = { failure: 'internal', source: 'chatgpt', report, expiresAt: null } as const;
  show([sample({ status: 'failed', ...some, imported: { ...nothing, chats: 400, messages: 900 } })]);
  expect(await screen.findByText(/592 of 992 chats weren’t imported/)).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'Imported' })).toBeNull();
});

it('says why an import is paused', async () => {
  show([sample({ status: 'paused', failure: 'over-quota', progress: { chats: 4, of: 10 } })]);
  expect(await screen.findByText(/Your organisation’s storage is full/)).toBeInTheDocument();
});

it('isolates each part of the line about an upload', async () => {
  show([sample({ status: 'checked', source: 'chatgpt', report, checkedMs: 41_000 })]);
  const name = await screen.findByText('ChatGPT', { selector: 'bdi' });
  expect(name.parentElement!.querySelectorAll('bdi')).toHaveLength(3);
});

it('tells which part of an export is missing or cut, by its number', async () => {
  const nowhere = { conversationId: null, messageId: null };
  const losses = [
    { chatTitle: 'conversations-001.json', reason: 'part-missing' as const, name: '2', ...nowhere },
    { chatTitle: 'conversations.json', reason: 'part-cut' as const, name: null, ...nowhere },
  ];
  const lacking = { ...report, others: [{ kind: 'missing-parts' as const, count: 2 }] };
  show([sample({ status: 'checked', source: 'chatgpt', report: lacking, losses: 2, checkedMs: 41_000 })], {
    [`GET /${of}/losses`]: () => ({ items: losses, nextCursor: null }),
  });
  expect(await screen.findByRole('rowheader', { name: 'Missing or damaged parts' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Show 2 items that weren’t imported' }));
  const list = within(await screen.findByRole('list', { name: 'chatgpt.zip' }));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'conversations-001.jsonPart 2 of the export is missing, with the chats in it',
    'conversations.jsonThis file is cut off or damaged, so chats are missing',
  ]);
});

it('says in words that a check was quick, and calls custom instructions so', async () => {
  const others = [{ kind: 'prompts' as const, count: 1 }];
  show([sample({ status: 'checked', source: 'chatgpt', report: { ...report, others }, checkedMs: 20 })]);
  expect(await screen.findByText('checked in less than a second')).toBeInTheDocument();
  expect(screen.getByRole('rowheader', { name: 'Custom instructions' })).toBeInTheDocument();
});
