import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ConversationId, Message, MessageFile, MessageId } from '@parley/contracts';
import { useLocation } from 'react-router-dom';
import { installFakeApi, refuse } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  samplePath,
  sampleQuestion,
} from '../../../testing/samples.ts';
import { ConversationsPage } from '../conversations-page.tsx';
import { PendingSendsProvider } from '../state/pending-sends-context.tsx';

const branchId = `cnv_${'7'.repeat(26)}` as ConversationId;
const file: MessageFile = {
  id: `fil_${'7'.repeat(26)}` as MessageFile['id'],
  name: 'plan.pdf',
  mediaType: 'application/pdf',
  bytes: 9,
  use: 'whole',
};
const second: Message = {
  ...sampleQuestion,
  id: `msg_${'7'.repeat(26)}` as MessageId,
  parentId: sampleIds.answer,
  position: 3,
  sequence: 3,
  text: 'And since then?',
  files: [file],
};
const draft = { text: '', files: [], revision: 0, others: [] };
const one = 'api/chat/conversations/:conversationId';
const Where = () => <p data-testid="where">{useLocation().pathname}</p>;

function show(path: readonly Message[]) {
  const { calls } = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations': () => ({ items: [sampleConversation], nextCursor: null }),
    [`GET /${one}/path`]: ({ params }: { params: { conversationId: string } }) =>
      params.conversationId === sampleIds.conversation ? samplePath(path) : samplePath(path.slice(0, -1)),
    [`POST /${one}/messages`]: () => refuse('platform.unavailable'),
    [`POST /${one}/answers`]: () => refuse('platform.unavailable'),
    'GET /api/chat/drafts/:where': () => draft,
    'PUT /api/chat/drafts/:where': ({ body }: { body: object }) => ({ ...draft, ...body, others: [], revision: 1 }),
    [`GET /${one}/queue`]: () => ({ items: [], waitsForPerson: false }),
    [`GET /${one}/messages/:messageId/branch`]: () => ({ messages: 1, versions: [] }),
    [`POST /${one}/branches`]: () => ({ ...sampleConversation, id: branchId }),
  } as never);
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
      <Where />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id?', at: `/en/chat/${sampleIds.conversation}` },
  );
  return (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);
}
const article = async (text: string) => (await screen.findByText(text)).closest('article')!;
const branchAt = async (text: string) =>
  userEvent.click(await within(await article(text)).findByRole('button', { name: 'Branch to new chat' }));
const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });

beforeEach(() => localStorage.clear());

describe('branching at a question', () => {
  it('branches before the question, and puts its text into the new chat’s composer', async () => {
    const sent = show([sampleQuestion, sampleAnswer(), second]);
    await branchAt('And since then?');
    await waitFor(() => expect(screen.getByTestId('where').textContent).toContain(branchId));
    expect(sent(`POST /${one}/branches`)).toMatchObject([{ messageId: sampleIds.answer, copies: 'path' }]);
    expect((await field()).value).toBe('And since then?');
    await waitFor(() =>
      expect(sent('PUT /api/chat/drafts/:where').at(-1)).toMatchObject({ text: second.text, files: [file.id] }),
    );
  });

  it('opens a new chat with the text of the first question', async () => {
    const sent = show([sampleQuestion, sampleAnswer()]);
    await branchAt('What changed?');
    await waitFor(() => expect(screen.getByTestId('where').textContent).toBe('/en/chat'));
    expect((await field()).value).toBe('What changed?');
    expect(sent(`POST /${one}/branches`)).toEqual([]);
  });
});

describe('a question without an answer', () => {
  it('lets the next question follow one without an answer', async () => {
    const sent = show([sampleQuestion]);
    await userEvent.type(await field(), 'Next?{Enter}');
    await waitFor(() =>
      expect(sent(`POST /${one}/messages`)).toMatchObject([{ text: 'Next?', parentId: sampleIds.question }]),
    );
    expect(await article('Next?')).toBeInTheDocument();
    expect(await article('What changed?')).toBeInTheDocument();
  });

  it('offers to ask the last question again if it has no answer', async () => {
    const sent = show([sampleQuestion]);
    await userEvent.click(await within(await article('What changed?')).findByRole('button', { name: 'More' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: /^Ask again$/ }));
    await waitFor(() =>
      expect(sent(`POST /${one}/answers`)).toMatchObject([{ parentId: sampleIds.question, model: sampleModel.key }]),
    );
  });
});

it('sends a question again at the end of the chat if it was refused because its parent is gone', async () => {
  const refused = {
    conversationId: sampleIds.conversation,
    messageId: `msg_${'6'.repeat(26)}`,
    answerId: `msg_${'5'.repeat(26)}`,
    generationId: `gen_${'5'.repeat(26)}`,
    text: 'Late?',
    parentId: second.id,
    createdAt: '2026-11-21T10:00:00.000Z',
    refusal: { type: '', title: '', status: 404, code: 'chat.message-not-found' },
  };
  localStorage.setItem(`parley.send.${sampleIds.user}.${sampleIds.org}.${refused.messageId}`, JSON.stringify(refused));
  const sent = show([sampleQuestion, sampleAnswer()]);
  await userEvent.click(await screen.findByRole('button', { name: 'Send message again' }));
  await waitFor(() =>
    expect(sent(`POST /${one}/messages`)).toMatchObject([{ text: 'Late?', parentId: sampleIds.answer }]),
  );
});
