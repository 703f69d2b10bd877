import { beforeEach, describe, expect, it } from '@jest/globals';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { refuse, refuseOld, type Handlers } from '../../../testing/fake-api.ts';
import { sampleProject } from '../../../testing/samples.ts';
import { click, showProject } from './project-page.spec-setup.tsx';

const get = 'GET /api/chat/projects/:projectId';
const patch = 'PATCH /api/chat/projects/:projectId';
const stored = { ...sampleProject, instructions: 'Stored' };

function show(handlers: Handlers = {}) {
  const page = showProject({ project: stored, hasSettingsOpen: true, handlers });
  return { ...page, sent: () => page.sent(patch) };
}
const field = () => screen.findByRole('textbox', { name: 'Instructions' });
const type = async (value: string) => fireEvent.change(await field(), { target: { value } });
const save = async () => fireEvent.blur(await field());
const reopen = async () => {
  await click('Project settings');
  await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Instructions' })).toBeNull());
  await click('Project settings');
};

beforeEach(() => localStorage.clear());

describe('text in the settings panel that is not saved', () => {
  it('is kept if it is too long, also over a reload, until the person drops it', async () => {
    const page = show();
    const long = 'x'.repeat(8_001);
    await type(long);
    await reopen();
    expect(await field()).toHaveValue(long);
    page.unmount();
    const { sent } = show();
    expect(await field()).toHaveValue(long);
    expect(screen.getByText('Shorten it by 1 character to save it.')).toBeInTheDocument();
    await click('Use the saved version');
    expect(await field()).toHaveValue('Stored');
    await reopen();
    expect(await field()).toHaveValue('Stored');
    expect([page.sent(), sent()]).toEqual([[], []]);
    expect(Object.keys(localStorage).filter((key) => key.startsWith('parley.project.'))).toEqual([]);
  });

  it('is saved after the running save, even if the panel was closed during that save', async () => {
    const { sent } = show();
    const { fetch } = globalThis;
    let answer = () => {};
    const slow = new Promise<void>((resolve) => (answer = resolve));
    globalThis.fetch = (async (url: string, init?: RequestInit) => {
      const response = await fetch(url, init);
      if (init?.method === 'PATCH') await slow;
      return response;
    }) as typeof globalThis.fetch;
    await type('First words');
    await save();
    await type('First words and more');
    await reopen();
    expect(await field()).toHaveValue('First words and more');
    expect(sent()).toHaveLength(1);
    await act(async () => answer());
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
    await waitFor(() =>
      expect(sent()).toEqual([
        { revision: sampleProject.revision, instructions: 'First words' },
        { revision: sampleProject.revision + 1, instructions: 'First words and more' },
      ]),
    );
  });

  it('is kept with the reason if the save was refused', async () => {
    show({ [patch]: () => refuse('platform.forbidden') });
    await type('Mine');
    await save();
    await screen.findByText(/^Not saved\./);
    await reopen();
    expect(await screen.findByText(/^Not saved\./)).toBeInTheDocument();
    expect(await field()).toHaveValue('Mine');
    await click('Use the saved version');
    expect(await field()).toHaveValue('Stored');
  });

  it('is kept if another device saves first, and so is the conflict, even after a reload', async () => {
    const theirs = { ...stored, instructions: 'Theirs', revision: 5 };
    const handlers: Handlers = {
      [patch]: ({ body }: { body: { revision: number; instructions?: string } }) =>
        body.revision === 5 ? { ...theirs, instructions: body.instructions ?? '' } : refuseOld(theirs),
    };
    const page = show(handlers);
    await type('Mine');
    await save();
    await screen.findByText(/changed on another device/);
    await reopen();
    expect(await screen.findByText(/changed on another device/)).toBeInTheDocument();
    expect(await field()).toHaveValue('Mine');
    page.unmount();
    show({ ...handlers, [get]: () => ({ ...theirs, chats: 0, archivedChats: 0, unread: 0 }) });
    const note = await screen.findByText(/changed on another device/);
    expect(note.closest('[role="alert"]')).toHaveTextContent('Theirs');
    expect(await field()).toHaveValue('Mine');
    await click('Save mine');
    expect(await screen.findByText(/^Saved/)).toBeInTheDocument();
  });

  it('is kept while the project is deleted, and saved after its restore', async () => {
    let isDeleted = false;
    const saved = { ...stored, instructions: 'Mine', revision: 2 };
    const counted = { ...stored, chats: 0, archivedChats: 0, unread: 0 };
    const gone = () => refuse('chat.project-deleted');
    show({
      [get]: () => (isDeleted ? gone() : counted),
      [patch]: () => (isDeleted ? gone() : saved),
      'POST /api/chat/projects/:projectId/restore': () => {
        isDeleted = false;
        return stored;
      },
    });
    await type('Mine');
    isDeleted = true;
    await save();
    await click('Restore project');
    expect(await field()).toHaveValue('Mine');
    expect(await screen.findByText(/^Saved/, {}, { timeout: 4_000 })).toBeInTheDocument();
  });
});
