import { beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import type { ConversationId, Invitation, Message, MessageId } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { loseConnectionForLong, withPassingTime } from '../../testing/lost-connection.ts';
import { sampleInvitation } from '../../testing/people-samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  sampleQuestion,
  samplePath,
} from '../../testing/samples.ts';
import { ConversationsPage } from './conversations-page.tsx';
import { ConversationList } from './list/conversation-list.tsx';
import { PendingSendsProvider } from './state/pending-sends-context.tsx';

const models: Handlers['GET /api/chat/models'] = () => ({ items: [sampleModel], documentCount: 3, indexedAt: null });

function show(handlers: Handlers, role: OrgRole = 'owner', at = `/en/chat/${sampleIds.conversation}`) {
  const api = installFakeApi({ 'GET /api/chat/models': models, ...handlers });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: at.endsWith('/chat') ? '/:locale/chat' : '/:locale/chat/:id', at, role },
  );
  return api;
}

const pathRoute = 'GET /api/chat/conversations/:conversationId/path';
const sendRoute = 'POST /api/chat/conversations/:conversationId/messages';
const withAnswer = (answer: Message, more: Message[] = []): Handlers => ({
  [pathRoute]: () => samplePath([sampleQuestion, answer, ...more]),
});

beforeEach(() => localStorage.clear());

describe('an open chat', () => {
  it('shows question, answer, tokens and duration', async () => {
    show(withAnswer(sampleAnswer()));
    expect(await screen.findByText('What changed?')).toBeInTheDocument();
    expect(await screen.findByText('The certificate.')).toBeInTheDocument();
    expect(screen.getByText(/1,284 tokens · 4\.2/)).toBeInTheDocument();
  });

  it('keeps the text of a failed answer, says why it failed, and offers to ask again', async () => {
    show(withAnswer(sampleAnswer({ status: 'failed', failure: 'provider-cut', failureDetail: 'socket hang up' })));
    expect(await screen.findByText(/The model server closed the connection/)).toBeInTheDocument();
    expect(screen.getByText(/The text above is kept/)).toBeInTheDocument();
    expect(screen.getByText('socket hang up')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Ask again' })).toBeEnabled();
  });

  it('copies a question as it was typed', async () => {
    const user = userEvent.setup();
    show(withAnswer(sampleAnswer()));
    await user.click(await screen.findByRole('button', { name: 'Copy' }));
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe('What changed?');
  });

  it('offers a retry for an interrupted answer, and mentions a restart', async () => {
    show(withAnswer(sampleAnswer({ status: 'interrupted', resumedAt: '2026-11-21T11:03:00.000Z' })));
    expect(await screen.findByRole('button', { name: 'Retry answer' })).toBeInTheDocument();
    expect(screen.getByText(/^Started again at \d\d:03 after an interruption\.$/)).toBeInTheDocument();
  });

  it('shows queued and thinking answers in words, and offers to stop them', async () => {
    const api = show({
      ...withAnswer(
        sampleAnswer({ status: 'queued', epoch: 0, startedAt: null, finishedAt: null, usage: null }, { text: '' }),
      ),
      'POST /api/chat/conversations/:conversationId/generations/:generationId/stop': () => ({ status: 'stopped' }),
    });
    expect(await screen.findByText('Queued')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Stop' }));
    await waitFor(() =>
      expect(
        api.calls.some(
          ({ route }) => route === 'POST /api/chat/conversations/:conversationId/generations/:generationId/stop',
        ),
      ).toBe(true),
    );
  });

  it('sends with Enter under ids made on the page, and shows the question immediately', async () => {
    const api = show({
      ...withAnswer(sampleAnswer()),
      [sendRoute]: ({ body }) => ({
        message: { ...sampleQuestion, id: body.messageId, text: body.text, position: 3, sequence: 3 },
        answer: sampleAnswer(
          { id: body.generationId, status: 'queued', epoch: 0, startedAt: null, finishedAt: null, usage: null },
          { id: body.answerId, parentId: body.messageId, text: '', position: 4, sequence: 4 },
        ),
        conversation: {
          ...sampleConversation,
          sequence: 4,
          running: true,
          runningAnswer: { generationId: body.generationId, answerId: body.answerId },
        },
      }),
    });
    await userEvent.type(await screen.findByLabelText('Message'), 'And why?{Enter}');
    expect(await screen.findByText('And why?')).toBeInTheDocument();
    expect(await screen.findByText('Queued')).toBeInTheDocument();
    expect(api.calls.find(({ route }) => route === sendRoute)?.body).toMatchObject({
      text: 'And why?',
      messageId: expect.stringMatching(/^msg_/),
      generationId: expect.stringMatching(/^gen_/),
    });
    expect(Object.keys(localStorage).filter((key) => key.startsWith('parley.send.'))).toEqual([]);
  });

  it('keeps a refused question and offers to edit it', async () => {
    show({ ...withAnswer(sampleAnswer()), [sendRoute]: () => refuse('chat.model-not-found') });
    await userEvent.type(await screen.findByLabelText('Message'), 'And why?{Enter}');
    expect(await screen.findByText(/The chosen model is not offered any more/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Edit message' }));
    expect(screen.getByLabelText('Message')).toHaveValue('And why?');
  });

  it('says that a chat doesn’t exist any more', async () => {
    show({ [pathRoute]: () => refuse('chat.conversation-not-found') });
    expect(await screen.findByText('Chat not found')).toBeInTheDocument();
  });

  it('offers another attempt if the chat couldn’t be loaded', async () => {
    show({ [pathRoute]: () => refuse('bff.upstream-timeout') });
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeInTheDocument();
    expect(screen.getByText('trace trace-1')).toBeInTheDocument();
  });

  it('lets a guest read, but not ask', async () => {
    show(withAnswer(sampleAnswer()), 'guest');
    expect(await screen.findByText(/Your role reads chats but asks nothing/)).toBeInTheDocument();
    expect(screen.queryByLabelText('Message')).toBeNull();
  });
});

describe('versions in a chat', () => {
  it('shows another version of an answer, and stores it as the reader’s position', async () => {
    const first = sampleAnswer();
    const second = sampleAnswer(
      {},
      { id: 'msg_00000000000000000000000003' as MessageId, position: 3, sequence: 3, text: 'Another one.' },
    );
    const versions = [{ parentId: first.parentId, ids: [first.id, second.id] }];
    const api = show({
      [pathRoute]: ({ query }) => ({
        ...samplePath([sampleQuestion, query.through === first.id ? first : second]),
        versions,
        placeVersion: 4,
      }),
      'PUT /api/chat/conversations/:conversationId/place': () => ({ leafId: first.id, version: 5 }),
    });
    expect(await screen.findByText('Another one.')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Later version' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Earlier version' }));
    expect(await screen.findByText('The certificate.')).toBeInTheDocument();
    expect(screen.queryByText('Another one.')).toBeNull();
    expect(screen.getByRole('group', { name: 'Version 1 of 2' })).toHaveTextContent('1 / 2');
    await waitFor(() => expect(api.calls.map(({ body }) => body)).toContainEqual({ through: first.id, version: 4 }));
  });

  it('sends an edited question as another version, and keeps the earlier version', async () => {
    const api = show({
      ...withAnswer(sampleAnswer()),
      [sendRoute]: ({ body }) => ({
        message: { ...sampleQuestion, id: body.messageId, text: body.text, position: 3, sequence: 3 },
        answer: sampleAnswer(
          { id: body.generationId, status: 'queued', epoch: 0, startedAt: null, finishedAt: null, usage: null },
          { id: body.answerId, parentId: body.messageId, position: 4, sequence: 4, text: '' },
        ),
        conversation: { ...sampleConversation, sequence: 4, running: true },
      }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
    const field = await screen.findByRole('textbox', { name: 'Your question' });
    expect(field).toHaveValue('What changed?');
    expect(screen.getByText('The earlier version is kept.')).toBeInTheDocument();
    await userEvent.clear(field);
    await userEvent.type(field, 'What changed today?{Enter}');
    expect(await screen.findByText('What changed today?')).toBeInTheDocument();
    expect(screen.queryByText('What changed?')).toBeNull();
    expect(screen.getByRole('group', { name: 'Version 2 of 2' })).toBeInTheDocument();
    const sent = api.calls.find(({ route }) => route === sendRoute);
    expect(sent?.body).toMatchObject({ text: 'What changed today?', parentId: null });
  });
});

describe('a chat after a long loss of the connection', () => {
  const person = withPassingTime();

  it('keeps typed text, queues it, and turns the other actions off', async () => {
    const api = show(withAnswer(sampleAnswer()));
    await person.type(await screen.findByLabelText('Message'), 'And w');
    await loseConnectionForLong();
    await person.type(screen.getByLabelText('Message'), 'hy?');
    expect(screen.getByLabelText('Message')).toHaveValue('And why?');
    expect(screen.getByText('Sent when the connection is back')).toBeInTheDocument();
    await person.click(screen.getByRole('button', { name: 'Answer again' }));
    expect(api.calls.map(({ route }) => route)).not.toContain('POST /api/chat/conversations/:conversationId/answers');
  });

  it('doesn’t claim that an answer is still running', async () => {
    show(withAnswer(sampleAnswer({ status: 'running', finishedAt: null, usage: null })));
    expect(await screen.findByText('Writing')).toBeInTheDocument();
    await loseConnectionForLong();
    expect(screen.queryByText('Writing')).toBeNull();
    expect(screen.getByText(/^Followed until \d\d:\d\d$/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Stop' })).toHaveAttribute('aria-disabled', 'true');
  });
});

describe('an empty chat', () => {
  const offering = (documentCount: number, providerName: string | null = null): Handlers => ({
    'GET /api/chat/models': () => ({ items: [{ ...sampleModel, providerName }], documentCount, indexedAt: null }),
  });
  const people = (used: number, invitations: Invitation[] = []): Handlers => ({
    'GET /api/org/seats': () => ({ used, held: 0, limit: null }),
    'GET /api/org/invitations': () => ({ items: invitations, nextCursor: null }),
  });
  const all = ['Upload documents', 'Connect a language model', 'Invite people'];
  const [upload, connect, invite] = all as [string, string, string];

  it.each<[string, Handlers, string[]]>([
    ['nothing', { ...offering(0), ...people(1) }, [upload, connect, invite]],
    ['documents', { ...offering(3), ...people(1) }, [connect, invite]],
    ['a model', { ...offering(0, 'Slow'), ...people(1) }, [upload, invite]],
    ['a second member', { ...offering(0), ...people(2) }, [upload, connect]],
    ['an invitation', { ...offering(0), ...people(1, [sampleInvitation]) }, [upload, connect]],
  ])('leads on to what is still to do where there is %s', async (_what, handlers, left) => {
    show(handlers, 'owner', '/en/chat');
    const steps = () =>
      screen.getAllByRole('link').map(({ textContent }) => all.find((title) => textContent?.startsWith(title)));
    await waitFor(() => expect(steps()).toEqual(left));
  });

  it('says if there are no documents to answer from', async () => {
    show({ ...offering(0), ...people(1) }, 'owner', '/en/chat');
    expect(await screen.findByText(/there is nothing to answer from/)).toBeInTheDocument();
    expect(await screen.findByRole('link', { name: /Invite people/ })).toHaveAttribute(
      'href',
      `/en/settings/org_admin/${sampleIds.org}?tab=members&invite=people`,
    );
  });

  it('tells people without the permission whom to ask for documents or a model', async () => {
    show(
      { 'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }) },
      'member',
      '/en/chat',
    );
    expect(await screen.findByText(/An owner or admin of the organisation can connect/)).toBeInTheDocument();
  });

  it('offers starters if there are documents', async () => {
    show(people(2), 'owner', '/en/chat');
    await userEvent.click(await screen.findByRole('button', { name: /Find a rule or a figure/ }));
    expect(screen.getByLabelText('Message')).toHaveValue('What do our documents say about ');
  });
});

describe('the list of chats', () => {
  const showList = (handlers: Handlers) => {
    const api = installFakeApi(handlers);
    renderInOrganisation(
      <PendingSendsProvider>
        <ConversationList />
        <Where />
      </PendingSendsProvider>,
      { path: '/:locale/chat/*', at: `/en/chat/${sampleIds.conversation}` },
    );
    return api;
  };
  const other = { ...sampleConversation, id: `cnv_${'2'.repeat(26)}` as ConversationId, title: 'Meter export' };

  it('marks the open chat, and opens another without leaving the page', async () => {
    showList({ 'GET /api/chat/conversations': () => ({ items: [sampleConversation, other], nextCursor: null }) });
    expect(await screen.findByRole('link', { name: 'VPN', current: 'page' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('link', { name: 'Meter export' }));
    expect(screen.getByText(`/en/chat/${other.id}`)).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Meter export', current: 'page' })).toBeInTheDocument();
  });
});

function Where() {
  return <p>{useLocation().pathname}</p>;
}
