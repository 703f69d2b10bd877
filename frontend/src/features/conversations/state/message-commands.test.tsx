import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FileId, Message, MessageId } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleAnswer, sampleConversation, sampleIds, sampleQuestion } from '../../../testing/samples.ts';
import { useDrafts } from './drafts-context.tsx';
import { useMessageCommands } from './message-commands.ts';
import { PendingSendsProvider } from './pending-sends-context.tsx';

const deleteRoute = 'DELETE /api/chat/conversations/:conversationId/messages/:messageId';
const restoreRoute = 'POST /api/chat/conversations/:conversationId/messages/:messageId/restore';
const branchRoute = 'POST /api/chat/conversations/:conversationId/branches';
const file = {
  id: `fil_${'1'.repeat(26)}` as FileId,
  name: 'plan.pdf',
  mediaType: 'application/pdf',
  bytes: 9,
} as const;
const other = `msg_${'9'.repeat(26)}` as MessageId;
const question: Message = { ...sampleQuestion, parentId: other, files: [{ ...file, use: 'whole' }] };

/** The messages that the page was led to, in order. */
const led: string[] = [];
const stream = { show: async (id: MessageId) => void led.push(`show ${id}`), refetch: () => void led.push('refetch') };

function Commands() {
  const { remove, branch, showVersion } = useMessageCommands(sampleIds.conversation, stream);
  const drafts = useDrafts();
  const { pathname } = useLocation();
  const acts: [string, () => unknown][] = [
    ['delete', () => remove(question)],
    ['branch at the answer', () => branch(sampleAnswer(), 'path')],
    ['branch before the question', () => branch(question, 'path')],
    ['branch before the first question', () => branch({ ...question, parentId: null }, 'path')],
    ['branch all', () => branch(question, 'all')],
    ['go to a version', () => showVersion(other)],
  ];
  const at = pathname.split('/').at(-1)!;
  const { text, files } = drafts.read(at === 'chat' ? 'new' : (at as never));
  return (
    <>
      {acts.map(([name, act]) => (
        <button key={name} type="button" onClick={() => void act()}>
          {name}
        </button>
      ))}
      <output aria-label="place">{pathname}</output>
      <output aria-label="draft">{[text, ...files.map(({ id, use }) => `${id} ${use}`)].join(' | ')}</output>
    </>
  );
}

function show(handlers: Handlers) {
  const api = installFakeApi(handlers);
  renderInOrganisation(
    <PendingSendsProvider>
      <Commands />
    </PendingSendsProvider>,
    { path: '/:locale/chat/*', at: `/en/chat/${sampleIds.conversation}` },
  );
  return (route: string) => api.calls.filter((call) => call.route === route);
}
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }));

beforeEach(() => {
  localStorage.clear();
  led.length = 0;
});

describe('deleting a message', () => {
  it('leads to the remaining messages after a deletion; Undo restores the message and leads to it', async () => {
    const calls = show({ [deleteRoute]: () => ({ leafId: other }), [restoreRoute]: () => ({ leafId: question.id }) });
    await click('delete');
    expect(await screen.findByText(/deleted. You can restore it for 7 days\./)).toBeInTheDocument();
    expect(led).toEqual([`show ${other}`]);
    await click('Undo');
    await waitFor(() => expect(led).toEqual([`show ${other}`, `show ${question.id}`]));
    expect(calls(restoreRoute)).toHaveLength(1);
  });

  it('leads to an empty chat after the last message was deleted', async () => {
    show({ [deleteRoute]: () => ({ leafId: null }) });
    await click('delete');
    await screen.findByText(/deleted. You can restore it for 7 days\./);
    expect(led).toEqual(['refetch']);
  });

  it('keeps a message if deleting it is refused, and shows no Undo', async () => {
    show({ [deleteRoute]: () => refuse('chat.message-not-found') });
    await click('delete');
    expect(await screen.findByText(/message/i, { selector: 'span' })).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
    expect(led).toEqual([]);
  });

  it('says if a message can’t be restored', async () => {
    show({ [deleteRoute]: () => ({ leafId: other }), [restoreRoute]: () => refuse('chat.message-not-found') });
    await click('delete');
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(screen.queryByText(/deleted. You can restore it for 7 days\./)).toBeNull());
    expect(await screen.findByText(/message/i, { selector: 'span' })).toBeInTheDocument();
    expect(led).toEqual([`show ${other}`]);
  });
});

describe('branching a chat', () => {
  const made = { ...sampleConversation, id: `cnv_${'7'.repeat(26)}` as typeof sampleConversation.id };
  const place = () => screen.getByLabelText('place').textContent;
  const draft = () => screen.getByLabelText('draft').textContent;

  it('copies the path up to an answer, and opens the new chat', async () => {
    const calls = show({ [branchRoute]: () => made });
    await click('branch at the answer');
    await waitFor(() => expect(place()).toBe(`/en/chat/${made.id}`));
    expect(calls(branchRoute)).toMatchObject([{ body: { messageId: sampleIds.answer, copies: 'path' } }]);
    expect(draft()).toBe('');
  });

  it('copies the messages before a question, and puts its text and files into the draft', async () => {
    const calls = show({ [branchRoute]: () => made });
    await click('branch before the question');
    await waitFor(() => expect(place()).toBe(`/en/chat/${made.id}`));
    expect(calls(branchRoute)).toMatchObject([{ body: { messageId: other, copies: 'path' } }]);
    expect(draft()).toBe(`What changed? | ${file.id} whole`);
  });

  it('opens a new chat with the text of the first question, and copies nothing', async () => {
    const calls = show({});
    await click('branch before the first question');
    await waitFor(() => expect(place()).toBe('/en/chat'));
    expect([draft(), calls(branchRoute)]).toEqual([`What changed? | ${file.id} whole`, []]);
  });

  it('copies the question as well when all versions are copied', async () => {
    const calls = show({ [branchRoute]: () => made });
    await click('branch all');
    await waitFor(() => expect(place()).toBe(`/en/chat/${made.id}`));
    expect(calls(branchRoute)).toMatchObject([{ body: { messageId: question.id, copies: 'all' } }]);
    expect(draft()).toBe('');
  });

  it('opens no chat and says why if branching is refused', async () => {
    show({ [branchRoute]: () => refuse('chat.generation-running') });
    await click('branch before the question');
    expect(await screen.findByText(/answer/i, { selector: 'span' })).toBeInTheDocument();
    expect([place(), localStorage.length]).toEqual([`/en/chat/${sampleIds.conversation}`, 0]);
  });
});

it('says if another version is gone', async () => {
  stream.show = async () => Promise.reject(new Error('gone'));
  show({});
  await click('go to a version');
  expect(await screen.findByText(/.+/, { selector: 'span' })).toBeInTheDocument();
  stream.show = async (id) => void led.push(`show ${id}`);
});
