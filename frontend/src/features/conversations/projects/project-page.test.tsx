import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ChatbotId } from '@parley/contracts';
import { sampleBot } from '../../../testing/chatbot-samples.ts';
import { refuse } from '../../../testing/fake-api.ts';
import { inProject } from '../../../testing/project-samples.ts';
import { sampleProject } from '../../../testing/samples.ts';
import { choose, click, showProject } from './project-page.spec-setup.tsx';

const gone = `bot_${'9'.repeat(26)}` as ChatbotId;
const one = 'api/chat/projects/:projectId';
const send = 'POST /api/chat/conversations/:conversationId/messages';

beforeEach(() => localStorage.clear());

describe('the page of a project', () => {
  it('lists the project’s chats with their chatbot, unread marks and running answers', async () => {
    showProject({
      chats: [
        inProject('Cable list', 1, { running: true }),
        inProject('Relay wiring', 2, { unread: true, chatbotId: sampleBot.id }),
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

  it('names the organisation’s default chatbot for a person who can’t use chatbots', async () => {
    showProject({
      permissions: ['chat:read'],
      handlers: { 'GET /api/chat/chatbots': () => refuse('platform.forbidden') },
    });
    expect(await screen.findByText('The organisation’s default')).toBeInTheDocument();
  });

  it('says that the project has no chats yet, and what will appear here', async () => {
    showProject();
    expect(await screen.findByText('No chats yet')).toBeInTheDocument();
    expect(screen.getByText('None yet. Say what every answer in this project must take into account.')).toBeVisible();
  });

  it('says why the project couldn’t be loaded, and tries again', async () => {
    let isDown = true;
    showProject({
      handlers: {
        [`GET /${one}`]: () =>
          isDown ? refuse('platform.unavailable') : { ...sampleProject, chats: 0, archivedChats: 0, unread: 0 },
      },
    });
    expect(await screen.findByText('The project could not be loaded')).toBeInTheDocument();
    isDown = false;
    await click('Try again');
    expect(await screen.findByRole('heading', { name: sampleProject.name })).toBeInTheDocument();
  });

  it('says “not found” for an unknown project', async () => {
    showProject({ handlers: { [`GET /${one}`]: () => refuse('chat.project-not-found') } });
    expect(await screen.findByText('Project not found')).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Restore project' })).toBeNull();
  });
});

describe('a deleted project', () => {
  it('can be restored', async () => {
    let isDeleted = true;
    showProject({
      handlers: {
        [`GET /${one}`]: () =>
          isDeleted ? refuse('chat.project-deleted') : { ...sampleProject, chats: 0, archivedChats: 0, unread: 0 },
        [`POST /${one}/restore`]: () => {
          isDeleted = false;
          return sampleProject;
        },
      },
    });
    expect(await screen.findByText('Project deleted')).toBeInTheDocument();
    await click('Restore project');
    expect(await screen.findByRole('heading', { name: sampleProject.name })).toBeInTheDocument();
  });

  it('offers only Restore while it is being deleted', async () => {
    showProject({ project: { deleting: true } });
    expect(await screen.findByText(/This project is being deleted/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Restore project' })).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'New chat in project' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Project settings' })).toBeNull();
  });

  it('keeps its page open when it is restored while it is being deleted', async () => {
    let state: { deleting?: true } = { deleting: true };
    showProject({
      handlers: {
        [`GET /${one}`]: () => ({ ...sampleProject, chats: 0, archivedChats: 0, unread: 0, ...state }),
        [`POST /${one}/restore`]: () => {
          state = {};
          return sampleProject;
        },
      },
    });
    const heading = await screen.findByRole('heading', { name: sampleProject.name });
    const answer = globalThis.fetch;
    globalThis.fetch = async (...request) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return answer(...request);
    };
    await click('Restore project');
    expect(await screen.findByRole('button', { name: 'New chat in project' })).toBeInTheDocument();
    expect(heading).toBeInTheDocument();
  });
});

describe('working on a project', () => {
  it('focuses the field for the new title at once, and doesn’t select text that is typed later', async () => {
    showProject();
    await click('Project actions');
    await choose('Rename project');
    const field = await screen.findByLabelText<HTMLInputElement>('New title');
    expect(field).toHaveFocus();
    // Types slowly: a late change of focus or selection would overwrite the first keys.
    await userEvent.keyboard('Refit 2027', { delay: 20 });
    expect(field).toHaveFocus();
    expect(field).toHaveValue('Refit 2027');
  });

  it('renames, pins and archives a project; archiving can be undone', async () => {
    const { sent } = showProject();
    await click('Project actions');
    await choose('Rename project');
    const field = await screen.findByLabelText('New title');
    await userEvent.clear(field);
    await userEvent.type(field, 'Refit 2027{Enter}');
    expect(await screen.findByRole('heading', { name: 'Refit 2027' })).toBeInTheDocument();
    await click('Project actions');
    await choose('Pin project');
    await click('Project actions');
    await choose('Archive project');
    expect(await screen.findByText(/was archived/)).toBeInTheDocument();
    expect(await screen.findByText(/This project is archived/)).toBeInTheDocument();
    await click('Undo');
    await waitFor(() =>
      expect(sent(`PATCH /${one}`)).toEqual([
        { revision: 1, name: 'Refit 2027' },
        { revision: 2, pinned: true },
        { revision: 3, archived: true, pinned: false },
        { revision: 4, archived: false, pinned: true },
      ]),
    );
  });

  it('starts a chat in the project with its chatbot, and keeps the project’s own draft', async () => {
    const { sent } = showProject({ project: { chatbotId: sampleBot.id } });
    expect(await screen.findByRole('button', { name: /^Chatbot: Grid Engineer|^Model: Grid/ })).toBeInTheDocument();
    await userEvent.type(await screen.findByLabelText('Message'), 'Which cable?');
    await waitFor(() => expect(localStorage.getItem(keyOf(sampleProject.id))).toContain('Which cable?'));
    await click('Send message');
    await waitFor(() => expect(sent(send)).toHaveLength(0));
    expect(screen.getByTestId('where')).toHaveTextContent(/^\/en\/chat\/cnv_/);
    const [pending] = Object.keys(localStorage).filter((key) => key.startsWith('parley.send.'));
    expect(JSON.parse(localStorage.getItem(pending!)!)).toMatchObject({
      text: 'Which cable?',
      projectId: sampleProject.id,
      chatbotId: sampleBot.id,
    });
  });
});

const keyOf = (where: string) => Object.keys(localStorage).find((key) => key.endsWith(`.${where}`)) ?? '';

describe('deleting a project', () => {
  it('keeps the project’s chats by default, and can be undone', async () => {
    const asked: unknown[] = [];
    showProject({
      chats: [inProject('Cable list', 1)],
      handlers: {
        [`DELETE /${one}`]: ({ query }) => void asked.push(query.chats),
        [`POST /${one}/restore`]: () => sampleProject,
      },
    });
    await click('Project actions');
    await choose('Delete project');
    const dialog = await screen.findByRole('dialog', { name: 'Delete “Substation 14 refit”?' });
    expect(within(dialog).getByRole('radio', { name: /Keep the chats/ })).toBeChecked();
    expect(within(dialog).getByText('1 chat stays as a chat without a project.')).toBeInTheDocument();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete project' }));
    expect(await screen.findByText(/was deleted. Its chats are kept/)).toBeInTheDocument();
    await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(/^\/en\/chat$/));
    expect(asked).toEqual(['keep']);
    await click('Undo');
    await waitFor(() => expect(screen.getByTestId('where')).toHaveTextContent(`project=${sampleProject.id}`));
  });

  it.each([
    [0, 'Its name and instructions are deleted with it. You can undo this.'],
    [2, 'Its name, instructions and files are deleted with it; data connections are kept. You can undo this.'],
  ])('says what is deleted with a project that has %d files', async (files, text) => {
    showProject({ project: { files } });
    await click('Project actions');
    await choose('Delete project');
    expect(within(await screen.findByRole('dialog')).getByText(text)).toBeInTheDocument();
  });

  it('deletes the project’s chats too on request, and stays open if that is refused', async () => {
    const asked: unknown[] = [];
    let isDown = true;
    showProject({
      chats: [inProject('Cable list', 1)],
      handlers: {
        [`DELETE /${one}`]: ({ query }) => {
          asked.push(query.chats);
          return isDown ? refuse('platform.forbidden') : undefined;
        },
      },
    });
    await click('Project actions');
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
