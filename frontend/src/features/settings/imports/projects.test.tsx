import { expect, it } from '@jest/globals';
import type { ChatImport, ImportId, ImportReport, ReportedProject } from '@parley/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { ImportSections } from './import-section.tsx';

const list = 'GET /api/chat/imports';
const startRoute = 'POST /api/chat/imports/:importId/start';
const unnamed: ReportedProject = {
  id: 'g-p-1',
  name: null,
  chats: 12,
  deletedChats: 0,
  hasInstructions: false,
  state: 'new',
};
const report = (projects: ReportedProject[], more: Partial<ImportReport['chats']> = {}): ImportReport => ({
  chats: { found: 20, toImport: 20, known: 0, grown: 0, deleted: 0, empty: 0, broken: 0, ...more },
  messages: { found: 90, toImport: 90 },
  branches: { found: 0, toImport: 0 },
  files: { found: 0, toImport: 0, missing: 0, unsupported: 0 },
  others: [],
  projects,
});

function show(projects: ReportedProject[], more: Partial<ChatImport> = {}) {
  const item: ChatImport = {
    id: `imp_${'1'.repeat(26)}` as ImportId,
    files: [{ name: 'chatgpt.zip', bytes: 10, received: [1] }],
    status: 'checked',
    failure: null,
    source: 'chatgpt',
    report: report(projects),
    progress: null,
    imported: { chats: 0, messages: 0, branches: 0, files: 0 },
    losses: 0,
    createdAt: '2026-11-20T10:00:00.000Z',
    checkedMs: 20,
    expiresAt: '2026-11-27T10:00:00.000Z',
    ...more,
  };
  const api = installFakeApi({
    [list]: () => ({ items: [item], nextCursor: null, mostBytes: 2_000_000_000 }),
    [startRoute]: () => ({ ...item, status: 'importing' }),
  });
  renderInOrganisation(<ImportSections />, { path: '/:locale/settings', at: '/en/settings?tab=data' });
  return () => api.calls.filter((call) => call.route === startRoute).map(({ body }) => body);
}

it('proposes a name for each project without one, and imports them as they are named or left out', async () => {
  const started = show([
    { ...unnamed, chatTitles: ['Herons', 'رحلة'] },
    { ...unnamed, id: 'g-p-2', chats: 1 },
    { ...unnamed, id: 'g-p-3', chats: 3 },
  ]);
  const fields = await screen.findAllByRole('textbox', { name: 'Project name' });
  expect(fields.map((field) => (field as HTMLInputElement).value)).toEqual([
    'ChatGPT project 1',
    'ChatGPT project 2',
    'ChatGPT project 3',
  ]);
  expect(screen.getByText('12 chats')).toBeInTheDocument();
  expect(screen.getByText('Herons').parentElement).toHaveTextContent('Herons · رحلة · …');
  expect(screen.getByText(/doesn’t have their names/)).toBeInTheDocument();
  await userEvent.clear(fields[0]!);
  await userEvent.type(fields[0]!, ' Herons ');
  await userEvent.click(screen.getByRole('checkbox', { name: 'Import ChatGPT project 2 as a project' }));
  expect(fields[1]).toBeDisabled();
  const row = within(screen.getByRole('rowheader', { name: 'Projects' }).closest('tr')!);
  expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['3', '2', '']);
  await userEvent.click(screen.getByRole('button', { name: 'Import 20 chats' }));
  await waitFor(() => expect(started()).toHaveLength(1));
  expect(started()).toEqual([
    {
      again: false,
      projects: [
        { id: 'g-p-1', name: 'Herons' },
        { id: 'g-p-2', name: null },
        { id: 'g-p-3', name: 'ChatGPT project 3' },
      ],
    },
  ]);
});

it('asks for a name that is missing, and starts nothing before', async () => {
  const started = show([unnamed]);
  await userEvent.clear(await screen.findByRole('textbox', { name: 'Project name' }));
  await userEvent.click(screen.getByRole('button', { name: 'Import 20 chats' }));
  expect(screen.getByText('Enter a name, or clear the checkbox.')).toBeInTheDocument();
  expect(started()).toEqual([]);
});

it('has the names of the export, and asks nothing of a project that is here', async () => {
  const here = { id: `prj_${'2'.repeat(26)}` as never, name: 'Birds' };
  const started = show([
    { ...unnamed, name: 'Storks', hasInstructions: true },
    { ...unnamed, id: 'g-p-2', chats: 3, state: 'here', project: here },
  ]);
  expect(await screen.findByRole('textbox', { name: 'Project name' })).toHaveValue('Storks');
  expect(screen.getByText('Birds').closest('li')).toHaveTextContent('Birds3 chats · already here');
  expect(screen.getByText('instructions')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Import 20 chats' }));
  await waitFor(() => expect(started()).toMatchObject([{ projects: [{ id: 'g-p-1', name: 'Storks' }] }]));
});

it('leaves out a project that was deleted here, unless its checkbox is ticked', async () => {
  const started = show([{ ...unnamed, name: 'Storks', state: 'deleted' }]);
  const box = await screen.findByRole('checkbox', { name: 'Import Storks as a project' });
  expect(box).not.toBeChecked();
  await userEvent.click(box);
  await userEvent.click(screen.getByRole('button', { name: 'Import 20 chats' }));
  await waitFor(() => expect(started()).toMatchObject([{ projects: [{ id: 'g-p-1', name: 'Storks' }] }]));
});

it('shows a project whose chats were all deleted here once these are wanted', async () => {
  const gone = { ...unnamed, name: 'Storks', chats: 0, deletedChats: 4 };
  const started = show([gone], { report: report([gone], { deleted: 4 }) });
  await userEvent.click(await screen.findByRole('checkbox', { name: /Also import 4 chats/ }));
  expect(screen.getByRole('textbox', { name: 'Project name' })).toHaveValue('Storks');
  await userEvent.click(screen.getByRole('checkbox', { name: /Also import 4 chats/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Import 20 chats' }));
  await waitFor(() => expect(started()).toMatchObject([{ projects: [{ id: 'g-p-1', name: null }] }]));
});

it('says how many files projects have, and imports files alone where nothing else is new', async () => {
  const here = report([], { toImport: 0, known: 20 });
  const started = show([], { source: 'claude', report: { ...here, projectFiles: { found: 24, toImport: 2 } } });
  const row = (await screen.findByRole('rowheader', { name: 'Project files' })).closest('tr');
  expect(row).toHaveTextContent('Project files24222 already here or can’t be added');
  await userEvent.click(screen.getByRole('button', { name: 'Import 2 project files' }));
  await waitFor(() => expect(started()).toHaveLength(1));
});

it('names the files of a project that comes', async () => {
  const birds = { ...unnamed, name: 'Birds', chats: 0, files: 3 };
  show([birds], { source: 'claude', report: { ...report([birds]), projectFiles: { found: 3, toImport: 3 } } });
  expect(await screen.findByText('3 files')).toBeInTheDocument();
  expect(screen.getByRole('rowheader', { name: 'Project files' })).toBeInTheDocument();
});

it('imports projects of Claude alone, and says that their chats aren’t known', async () => {
  const claude = { ...unnamed, name: 'Birds', chats: 0, hasInstructions: true };
  const nothing = report([claude], { toImport: 0, known: 20 });
  const started = show([claude], { source: 'claude', report: nothing });
  expect(await screen.findByText(/doesn’t say which chats they have/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Import 1 project' }));
  await waitFor(() => expect(started()).toHaveLength(1));
});
