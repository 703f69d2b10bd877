import { beforeEach, expect, it } from '@jest/globals';
import type { MessageId, Model, ModelKey } from '@parley/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { FakeSocket, installFakeSocket } from '../../../testing/fake-socket.ts';
import {
  sampleAnswer,
  sampleConversation,
  sampleIds,
  sampleModel,
  samplePath,
  sampleQuestion,
} from '../../../testing/samples.ts';

const socket = installFakeSocket();
const { renderInOrganisation } = await import('../../../testing/render.tsx');
const { ConversationsPage } = await import('../conversations-page.tsx');
const { PendingSendsProvider } = await import('../state/pending-sends-context.tsx');

const again = 'POST /api/chat/conversations/:conversationId/answers';
const send = 'POST /api/chat/conversations/:conversationId/messages';
const branch = 'GET /api/chat/conversations/:conversationId/messages/:messageId/branch';
const otherId = 'msg_00000000000000000000000077' as MessageId;
const model = (label: string): Model => ({
  ...sampleModel,
  key: `prv_00000000000000000000000001/${label}` as ModelKey,
  label,
  isDefault: label === 'default',
});
const [usual, other, byDefault] = [model('usual'), model('other'), model('default')];
const by = ({ key, label }: Model) => ({ model: { key, label } });
const first = sampleAnswer(by(usual));
const second = sampleAnswer(by(other), { id: otherId, position: 3, sequence: 3 });
const versions = [first, second].map(({ id, generation }) => ({ id, model: generation!.model.key, chatbotId: null }));

function show(shown: typeof first, handlers: Handlers = {}) {
  const { calls } = installFakeApi({
    'GET /api/chat/models': () => ({ items: [byDefault, usual, other], documentCount: 0, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/path': () => samplePath([sampleQuestion, shown]),
    [branch]: () => ({ messages: 1, versions }),
    [again]: ({ body }) => ({ answer: { ...second, id: body.answerId }, conversation: sampleConversation }),
    [send]: () => refuse('chat.chatbot-not-found'),
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  return (route: string) => calls.filter((call) => call.route === route).map(({ body }) => body);
}
const askNext = () => userEvent.type(screen.getByRole('textbox', { name: 'Message' }), 'And then?{Enter}');
const picker = (name: string) => screen.findByRole('button', { name: `Model: ${name}. Choose another one` });

beforeEach(() => {
  localStorage.clear();
  socket.current = new FakeSocket();
});

it('sends the next question to the chat’s model after another one was asked for a version', async () => {
  const sent = show(first);
  const article = await screen.findByRole('article', { name: 'usual' });
  await userEvent.click(within(article).getByRole('button', { name: 'More' }));
  await userEvent.hover(await screen.findByRole('menuitem', { name: 'Ask again with…' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /^other/ }));
  await waitFor(() => expect(sent(again)).toMatchObject([{ model: other.key }]));
  await screen.findByRole('article', { name: 'other' });
  await askNext();
  await waitFor(() => expect(sent(send)).toMatchObject([{ model: usual.key }]));
});

it('sends the next question to the chat’s model if the page has loaded only the other version', async () => {
  const sent = show(second);
  expect(await picker('usual')).toBeTruthy();
  await askNext();
  await waitFor(() => expect(sent(send)).toMatchObject([{ model: usual.key }]));
});

it('sends the next question to the other model if it was asked because the first one failed', async () => {
  const failed = sampleAnswer({ ...by(usual), status: 'failed', failure: 'provider-unreachable' });
  const sent = show(failed);
  await userEvent.click(await screen.findByRole('button', { name: 'Ask default' }));
  await waitFor(() => expect(sent(again)).toMatchObject([{ model: byDefault.key }]));
  expect(await picker('default')).toBeTruthy();
});
