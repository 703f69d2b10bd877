import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import type { Conversation, Project, ProjectId } from '@parley/contracts';
import { installFakeApi, refuse, type Handlers } from '../../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { sampleConversation, sampleProject } from '../../../../testing/samples.ts';
import { PendingSendsProvider } from '../../state/pending-sends-context.tsx';
import { ConversationList } from '../conversation-list.tsx';

const named = (name: string, at: number, more: Partial<Project> = {}): Project => ({
  ...sampleProject,
  id: `prj_${String(at).padStart(26, '0')}` as ProjectId,
  name,
  ...more,
});
const storm = named('Storm season', 1);
const tender = named('Tender', 2, { pinned: true });
const create = 'POST /api/chat/projects';
const move = 'PUT /api/chat/conversation-projects';

type Scene = { projects?: readonly Project[]; archived?: readonly Project[]; handlers?: Handlers; at?: string };

function show({ projects = [storm, tender], archived = [], handlers = {}, at = '/en/chat' }: Scene = {}) {
  const asked: (string | undefined)[] = [];
  let chat: Conversation = sampleConversation;
  const api = installFakeApi({
    'GET /api/chat/conversations': ({ query }) => {
      asked.push(query.project);
      const isThere = query.only === undefined && query.project === (chat.projectId ?? 'none');
      return { items: isThere ? [chat] : [], nextCursor: null };
    },
    'GET /api/chat/conversations/:conversationId': () => chat,
    'GET /api/chat/projects': ({ query }) => ({ items: [...(query.only ? archived : projects)], nextCursor: null }),
    [create]: ({ body }) => ({ ...sampleProject, ...body }),
    [move]: ({ body }) => {
      const { projectId: _before, ...rest } = chat;
      chat = body.projectId ? { ...rest, projectId: body.projectId } : rest;
      return { results: body.conversationIds.map((conversationId) => ({ conversationId, code: null })) };
    },
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationList />
      <Where />
    </PendingSendsProvider>,
    { path: '/:locale/chat', at },
  );
  return { ...api, asked };
}
const Where = () => <p data-testid="where">{useLocation().search}</p>;
const group = async () => {
  const heading = await screen.findByRole('heading', { name: 'Projects' });
  return within(heading.closest('section')!);
};
const names = async () => (await group()).getAllByRole('link').map((link) => link.textContent);
const click = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const bodies = ({ calls }: Pick<ReturnType<typeof show>, 'calls'>, route: string) =>
  calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => localStorage.clear());

it('lists projects, pinned ones first, marks the open one, and requests chats outside of projects', async () => {
  const { asked } = show({ at: `/en/chat?project=${storm.id}` });
  await (await group()).findByRole('link', { name: /Tender/ });
  expect(await names()).toEqual(['TenderPinned', 'Storm season']);
  expect(await screen.findByRole('link', { name: 'Storm season', current: 'page' })).toBeInTheDocument();
  expect(asked).toContain('none');
  expect(await screen.findByRole('link', { name: 'VPN' })).toBeInTheDocument();
});

it('marks projects with an unread chat or a running answer', async () => {
  const chats = [
    { ...sampleConversation, id: sampleConversation.id.replace(/.$/, '1'), projectId: storm.id, unread: true },
    { ...sampleConversation, id: sampleConversation.id.replace(/.$/, '2'), projectId: tender.id, running: true },
  ];
  show({
    handlers: {
      'GET /api/chat/conversations': ({ query }) => ({
        items: query.project || query.only ? [] : (chats as Conversation[]),
        nextCursor: null,
      }),
    },
  });
  expect(await screen.findByRole('link', { name: 'Storm season Unread chats' })).toBeInTheDocument();
  expect(await screen.findByRole('link', { name: /^Tender An answer is being written/ })).toBeInTheDocument();
});

it('says that there are no projects, and creates one by its name', async () => {
  const api = show({ projects: [] });
  expect(await screen.findByText('No projects yet')).toBeInTheDocument();
  await click('New project');
  await click('Create project');
  expect(await screen.findByText('Enter a name.')).toBeInTheDocument();
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' Refit {Enter}');
  await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(/project=prj_/));
  expect(bodies(api, create)).toEqual([{ id: expect.stringMatching(/^prj_/), name: 'Refit' }]);
});

it('keeps the typed name if the new project is refused, and says why', async () => {
  show({ handlers: { [create]: () => refuse('org.limit-reached') } });
  await click('New project');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Refit{Enter}');
  expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Refit');
});

it('shows the first eight projects before “Show all”, and archived ones when they are opened', async () => {
  const many = Array.from({ length: 12 }, (_, at) => named(`Project ${at}`, at));
  show({ projects: many, archived: [named('Old works', 50)] });
  expect(await screen.findByRole('link', { name: 'Project 7' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Project 8' })).toBeNull();
  await click('Show all 12 projects');
  expect(screen.getByRole('link', { name: 'Project 11' })).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Old works' })).toBeNull();
  await click('Archived projects');
  expect(screen.getByRole('link', { name: 'Old works' })).toBeInTheDocument();
});

it('says which project is being deleted', async () => {
  show({ projects: [{ ...storm, deleting: true }] });
  expect(await screen.findByRole('link', { name: 'Storm season Deleting…' })).toBeInTheDocument();
});

it('says why projects couldn’t be loaded, and loads them again', async () => {
  let isDown = true;
  show({
    handlers: {
      'GET /api/chat/projects': () => (isDown ? refuse('platform.unavailable') : { items: [storm], nextCursor: null }),
    },
  });
  await screen.findByRole('button', { name: 'Load projects again' });
  isDown = false;
  await click('Load projects again');
  expect(await screen.findByRole('link', { name: 'Storm season' })).toBeInTheDocument();
});

async function openPicker() {
  await userEvent.hover(await screen.findByRole('link', { name: 'VPN' }));
  await click('Actions for VPN');
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move to project…' }));
  return within(await screen.findByRole('dialog', { name: 'Move to project' }));
}

it('moves a chat to a project that is found by its name, and back', async () => {
  const api = show();
  const picker = await openPicker();
  await picker.findByRole('button', { name: 'Tender' });
  expect(picker.getByRole('button', { name: 'No project' })).toHaveAttribute('aria-current', 'true');
  await userEvent.type(picker.getByRole('searchbox'), 'storm');
  expect(picker.queryByRole('button', { name: 'Tender' })).toBeNull();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByText(/was moved to/)).toBeInTheDocument();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'VPN' })).toBeNull());
  await click('Undo');
  expect(await screen.findByRole('link', { name: 'VPN' })).toBeInTheDocument();
  const conversationIds = [sampleConversation.id];
  expect(bodies(api, move)).toEqual([
    { conversationIds, projectId: storm.id },
    { conversationIds, projectId: null },
  ]);
});

it('moves a chat to a new project', async () => {
  const api = show();
  const picker = await openPicker();
  await userEvent.click(await picker.findByRole('button', { name: 'New project…' }));
  await userEvent.type(await picker.findByRole('textbox', { name: 'Name' }), 'Refit{Enter}');
  await waitFor(() => expect(bodies(api, move)).toHaveLength(1));
  const [{ id }] = bodies(api, create) as [{ id: string }];
  expect(bodies(api, move)).toEqual([{ conversationIds: [sampleConversation.id], projectId: id }]);
});

it('leaves a chat in its place if the move is refused, and says why', async () => {
  show({ handlers: { [move]: () => refuse('chat.project-deleted') } });
  const picker = await openPicker();
  await userEvent.click(await picker.findByRole('button', { name: 'Tender' }));
  expect(await screen.findByText(/This project was deleted/)).toBeInTheDocument();
  expect(await screen.findByRole('link', { name: 'VPN' })).toBeInTheDocument();
});
