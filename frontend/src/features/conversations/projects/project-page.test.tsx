import { beforeEach, describe, expect, it } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import type { Chatbot, ChatbotId, Conversation, ConversationId, Project, ProjectId } from '@parley/contracts';
import { sampleBotId } from '../../../testing/chatbot-samples.ts';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleConversation, sampleModel, sampleProject } from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';
import type { CountedProject } from '../state/projects.ts';

const bot: Chatbot = {
  id: sampleBotId,
  name: 'Grid Engineer',
  glyph: 'bolt',
  version: 3,
  isDefault: false,
  model: null,
  starters: [],
};
const gone = `bot_${'9'.repeat(26)}` as ChatbotId;
const other = { ...sampleProject, id: `prj_${'2'.repeat(26)}` as ProjectId, name: 'Storm season' };
const inProject = (title: string, digit: number, more: Partial<Conversation> = {}): Conversation => ({
  ...sampleConversation,
  id: `cnv_${String(digit).repeat(26)}` as ConversationId,
  title,
  projectId: sampleProject.id,
  ...more,
});
const one = 'api/chat/projects/:projectId';
const send = 'POST /api/chat/conversations/:conversationId/messages';
const move = 'PUT /api/chat/conversation-projects';

const listed = ({ chats: _chats, unread: _unread, ...project }: CountedProject): Project => project;

type Scene = { project?: Partial<CountedProject>; chats?: readonly Conversation[]; handlers?: Handlers };

function show({ project = {}, chats = [], handlers = {} }: Scene = {}, at = `?project=${sampleProject.id}`) {
  let now: CountedProject = { ...sampleProject, chats: chats.length, unread: 0, ...project };
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/chatbots': () => ({ items: [bot] }),
    'GET /api/chat/projects': ({ query }) => ({ items: query.only ? [] : [listed(now), other], nextCursor: null }),
    'GET /api/chat/conversations': ({ query }) => ({
      items: query.project === sampleProject.id ? [...chats] : [],
      nextCursor: null,
    }),
    'GET /api/chat/drafts/:where': () => ({ text: '', revision: 0, others: [], files: [] }),
    'PUT /api/chat/drafts/:where': ({ body }) => ({ text: body.text, revision: 1, others: [], files: [] }),
    [`GET /${one}`]: () => now,
    [`PATCH /${one}`]: ({ body: { revision: _revision, ...fields } }) => {
      now = { ...now, ...fields, revision: now.revision + 1 };
      return listed(now);
    },
    [move]: ({ body }) => ({ results: body.conversationIds.map((conversationId) => ({ conversationId, code: null })) }),
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
      <Where />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id?', at: `/en/chat${at}` },
  );
  return api;
}
function Where() {
  const { pathname, search } = useLocation();
  return <p data-testid="where">{pathname + search}</p>;
}
const act = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const choose = async (name: string) => userEvent.click(await screen.findByRole('menuitem', { name }));
const bodies = ({ calls }: ReturnType<typeof show>, route: string) =>
  calls.filter((call) => call.route === route).map(({ body }) => body);

beforeEach(() => localStorage.clear());

describe('the page of a project', () => {
  it('lists its chats with their chatbot, what is unread, and what is being written', async () => {
    show({
      chats: [
        inProject('Cable list', 1, { running: true }),
        inProject('Relay wiring', 2, { unread: true, chatbotId: bot.id }),
        inProject('Spare parts', 3, { chatbotId: gone }),
      ],
    });
    expect(await screen.findByRole('heading', { name: 'Substation 14 refit' })).toBeInTheDocument();
    const row = async (name: RegExp) => screen.findByRole('row', { name });
    expect(await row(/Cable list An answer is being written/)).toBeInTheDocument();
    expect(await row(/Relay wiring Unread Grid Engineer/)).toBeInTheDocument();
    expect(await row(/Spare parts Not available/)).toBeInTheDocument();
    expect(screen.getByText(/3 chats · 1 unread/)).toBeInTheDocument();
  });

  it('says that it has no chats yet, and what will be there', async () => {
    show();
    expect(await screen.findByText('No chats yet')).toBeInTheDocument();
    expect(screen.getByText('None yet. Say what every answer in this project must take into account.')).toBeVisible();
  });

  it('says why it could not be loaded, and tries again', async () => {
    let isDown = true;
    show({
      handlers: {
        [`GET /${one}`]: () => (isDown ? refuse('platform.unavailable') : { ...sampleProject, chats: 0, unread: 0 }),
      },
    });
    expect(await screen.findByText('The project could not be loaded')).toBeInTheDocument();
    isDown = false;
    await act('Try again');
    expect(await screen.findByRole('heading', { name: sampleProject.name })).toBeInTheDocument();
  });

  it('is not found where there is none', async () => {
    show({ handlers: { [`GET /${one}`]: () => refuse('chat.project-not-found') } });
    expect(await screen.findByText('Project not found')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Restore project' })).toBeNull();
  });

  it('restores one that was deleted', async () => {
    let isDeleted = true;
    show({
      handlers: {
        [`GET /${one}`]: () => (isDeleted ? refuse('chat.project-deleted') : { ...sampleProject, chats: 0, unread: 0 }),
        [`POST /${one}/restore`]: () => {
          isDeleted = false;
          return sampleProject;
        },
      },
    });
    expect(await screen.findByText('Project deleted')).toBeInTheDocument();
    await act('Restore project');
    expect(await screen.findByRole('heading', { name: sampleProject.name })).toBeInTheDocument();
  });

  it('can be restored and not changed while it is being deleted', async () => {
    show({ project: { deleting: true } });
    expect(await screen.findByText(/This project is being deleted/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Restore project' })).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'New chat in project' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Project settings' })).toBeNull();
  });

  it('is renamed in place, pinned and archived; archiving can be undone', async () => {
    const api = show();
    await act('Project actions');
    await choose('Rename project');
    const field = await screen.findByLabelText('New title');
    await userEvent.clear(field);
    await userEvent.type(field, 'Refit 2027{Enter}');
    expect(await screen.findByRole('heading', { name: 'Refit 2027' })).toBeInTheDocument();
    await act('Project actions');
    await choose('Pin project');
    await act('Project actions');
    await choose('Archive project');
    expect(await screen.findByText(/was archived/)).toBeInTheDocument();
    expect(await screen.findByText(/This project is archived/)).toBeInTheDocument();
    await act('Undo');
    await waitFor(() =>
      expect(bodies(api, `PATCH /${one}`)).toEqual([
        { revision: 1, name: 'Refit 2027' },
        { revision: 2, pinned: true },
        { revision: 3, archived: true, pinned: false },
        { revision: 4, archived: false, pinned: true },
      ]),
    );
  });

  it('begins a chat in it with its chatbot, from a draft of its own', async () => {
    const api = show({ project: { chatbotId: bot.id } });
    expect(await screen.findByRole('button', { name: /^Chatbot: Grid Engineer|^Model: Grid/ })).toBeInTheDocument();
    await userEvent.type(await screen.findByLabelText('Message'), 'Which cable?');
    await waitFor(() => expect(localStorage.getItem(keyOf(sampleProject.id))).toContain('Which cable?'));
    await act('Send message');
    await waitFor(() => expect(bodies(api, send)).toHaveLength(0));
    expect(screen.getByTestId('where')).toHaveTextContent(/^\/en\/chat\/cnv_/);
    const [pending] = Object.keys(localStorage).filter((key) => key.startsWith('parley.send.'));
    expect(JSON.parse(localStorage.getItem(pending!)!)).toMatchObject({
      text: 'Which cable?',
      projectId: sampleProject.id,
      chatbotId: bot.id,
    });
  });
});

const keyOf = (where: string) => Object.keys(localStorage).find((key) => key.endsWith(`.${where}`)) ?? '';

describe('the settings of a project', () => {
  const at = `?project=${sampleProject.id}&settings=open`;
  const instructions = () => screen.findByRole('textbox', { name: 'Instructions' });
  const write = async (text: string) => {
    fireEvent.change(await instructions(), { target: { value: text } });
    fireEvent.blur(await instructions());
  };

  it('save each field by itself', async () => {
    const api = show({}, at);
    await write('Name the drawing.');
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
    await userEvent.selectOptions(screen.getByLabelText('Default chatbot'), 'Grid Engineer');
    await waitFor(() =>
      expect(bodies(api, `PATCH /${one}`)).toEqual([
        { revision: 1, instructions: 'Name the drawing.' },
        { revision: 2, chatbotId: bot.id },
      ]),
    );
  });

  it('keep instructions that are too long in the field, and say by how much', async () => {
    const api = show({}, at);
    await write('x'.repeat(8_001));
    expect(await screen.findByText('Shorten it by 1 character to save it.')).toBeInTheDocument();
    expect(screen.getByText('8,001 of 8,000 characters')).toBeInTheDocument();
    expect((await instructions()) as HTMLTextAreaElement).toHaveValue('x'.repeat(8_001));
    expect(bodies(api, `PATCH /${one}`)).toEqual([]);
  });

  it('keep what was typed where another device was faster, and let one choose', async () => {
    const theirs = { ...sampleProject, instructions: 'Theirs', revision: 5 };
    const sent: unknown[] = [];
    show(
      {
        handlers: {
          [`PATCH /${one}`]: ({ body }) => {
            sent.push(body);
            return body.revision === 5 ? { ...theirs, instructions: body.instructions ?? '' } : refuseOld(theirs);
          },
        },
      },
      at,
    );
    await write('Mine');
    const note = await screen.findByText(/changed on another device/);
    expect(note.closest('[role="alert"]')).toHaveTextContent('Theirs');
    expect(await instructions()).toHaveValue('Mine');
    await act('Save mine');
    await waitFor(() =>
      expect(sent).toEqual([
        { revision: 1, instructions: 'Mine' },
        { revision: 5, instructions: 'Mine' },
      ]),
    );
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
  });

  it('save over what another device has changed in other fields', async () => {
    const theirs = { ...sampleProject, name: 'Theirs', revision: 5 };
    const sent: unknown[] = [];
    show(
      {
        handlers: {
          [`PATCH /${one}`]: ({ body }) => {
            sent.push(body);
            return body.revision === 5 ? { ...theirs, instructions: body.instructions ?? '' } : refuseOld(theirs);
          },
        },
      },
      at,
    );
    await write('Mine');
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
    expect(sent).toHaveLength(2);
  });

  it('keep what was refused, and save it again', async () => {
    let isDown = true;
    const saved = { ...sampleProject, instructions: 'Mine', revision: 2 };
    show({ handlers: { [`PATCH /${one}`]: () => (isDown ? refuse('platform.forbidden') : saved) } }, at);
    await write('Mine');
    expect(await screen.findByText(/^Not saved\./)).toBeInTheDocument();
    expect(await instructions()).toHaveValue('Mine');
    isDown = false;
    await act('Save again');
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
  });

  it('say that a chatbot is not available any more', async () => {
    show({ project: { chatbotId: gone } }, at);
    expect(await screen.findByRole('option', { name: 'Not available' })).toBeInTheDocument();
    expect(screen.getByText(/New chats begin with the organisation’s default/)).toBeInTheDocument();
  });
});

describe('deleting a project', () => {
  it('keeps its chats unless asked, and can be undone', async () => {
    const asked: unknown[] = [];
    show({
      chats: [inProject('Cable list', 1)],
      handlers: {
        [`DELETE /${one}`]: ({ query }) => void asked.push(query.chats),
        [`POST /${one}/restore`]: () => sampleProject,
      },
    });
    await act('Project actions');
    await choose('Delete project');
    const dialog = await screen.findByRole('dialog', { name: 'Delete “Substation 14 refit”?' });
    expect(within(dialog).getByRole('radio', { name: /Keep the chats/ })).toBeChecked();
    expect(within(dialog).getByText('1 chat stays as a chat without a project.')).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete project' }));
    expect(await screen.findByText(/was deleted. Its chats are kept/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(/^\/en\/chat$/));
    expect(asked).toEqual(['keep']);
    await act('Undo');
    await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(`project=${sampleProject.id}`));
  });

  it('deletes its chats too where that is chosen, and stays open where it is refused', async () => {
    const asked: unknown[] = [];
    let isDown = true;
    show({
      chats: [inProject('Cable list', 1)],
      handlers: {
        [`DELETE /${one}`]: ({ query }) => {
          asked.push(query.chats);
          return isDown ? refuse('platform.forbidden') : undefined;
        },
      },
    });
    await act('Project actions');
    await choose('Delete project');
    await userEvent.click(await screen.findByRole('radio', { name: /Delete the chats too/ }));
    const confirm = () => within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete project' });
    await userEvent.click(confirm());
    expect(await within(screen.getByRole('dialog')).findByRole('alert')).toBeInTheDocument();
    isDown = false;
    await userEvent.click(confirm());
    expect(await screen.findByText(/and its chats were deleted/)).toBeInTheDocument();
    expect(asked).toEqual(['delete', 'delete']);
  });
});

describe('chats of a project', () => {
  it('are selected in the table and moved together, with one undo', async () => {
    const chats = [inProject('Cable list', 1), inProject('Relay wiring', 2), inProject('Spare parts', 3)];
    const api = show({ chats });
    await act('Actions for Cable list');
    await choose('Select chats');
    await userEvent.click(await screen.findByRole('checkbox', { name: 'Relay wiring' }));
    expect(await screen.findByRole('toolbar', { name: 'Selected chats' })).toHaveTextContent('2 selected');
    await act('Move to project');
    await userEvent.click(await screen.findByRole('button', { name: 'Storm season' }));
    expect(await screen.findByText('2 chats moved to “Storm season”.', { exact: false })).toBeInTheDocument();
    expect(screen.queryByRole('toolbar')).toBeNull();
    await act('Undo');
    const conversationIds = [chats[0]!.id, chats[1]!.id];
    await waitFor(() =>
      expect(bodies(api, move)).toEqual([
        { conversationIds, projectId: other.id },
        { conversationIds, projectId: sampleProject.id },
      ]),
    );
  });

  it('stay selected where one moves them nowhere after all', async () => {
    const api = show({ chats: [inProject('Cable list', 1)] });
    await act('Actions for Cable list');
    await choose('Select chats');
    await act('Move to project');
    await screen.findByRole('dialog', { name: 'Move to project' });
    fireEvent.keyDown(document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByRole('toolbar')).toHaveTextContent('1 selected');
    expect(bodies(api, move)).toEqual([]);
  });
});
