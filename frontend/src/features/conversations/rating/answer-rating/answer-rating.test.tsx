import { describe, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { FeedbackId, MessageId, OwnFeedback } from '@parley/contracts';
import type { OrgRole, Permission } from '@parley/contracts/permissions';
import { installFakeApi, refuse, type Handlers } from '../../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { sampleAnswer, sampleIds, sampleModel, sampleQuestion, samplePath } from '../../../../testing/samples.ts';
import { ConversationsPage } from '../../conversations-page.tsx';
import { PendingSendsProvider } from '../../state/pending-sends-context.tsx';

const rated: OwnFeedback = {
  id: `fbk_${'0'.repeat(26)}` as FeedbackId,
  messageId: sampleIds.answer,
  rating: 'down',
  reasons: [],
  comment: '',
  sharedMessages: 0,
  reply: null,
  ratedAt: '2026-11-21T10:42:00.000Z',
};
const ratingRoute = 'PUT /api/chat/conversations/:conversationId/messages/:messageId/feedback';
const withdrawRoute = 'DELETE /api/chat/conversations/:conversationId/messages/:messageId/feedback';

function show(
  mine: OwnFeedback[] = [],
  handlers: Handlers = {},
  who: { role?: OrgRole; permissions?: readonly Permission[] } = {},
) {
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/chatbots': () => ({ items: [] }),
    'GET /api/chat/conversations/:conversationId/path': () => ({
      ...samplePath([sampleQuestion, sampleAnswer()]),
      title: 'VPN',
    }),
    'GET /api/chat/conversations/:conversationId/my-feedback': () => ({ items: mine }),
    'GET /api/chat/feedback-readers': () => ({ names: ['Kei Amasato'], more: 2 }),
    [ratingRoute]: ({ body: { messages, ...body } }) => ({ ...rated, ...body, sharedMessages: messages }),
    [withdrawRoute]: () => undefined,
    ...handlers,
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}`, ...who },
  );
  return (wanted: string) => api.calls.filter(({ route }) => route === wanted).map(({ body }) => body);
}

const thumb = (name: string | RegExp) => screen.findByRole('button', { name });
const bare = { reasons: [], comment: '', messages: 0 };

describe('rating an answer', () => {
  it('rates an answer immediately, and the same thumb undoes it', async () => {
    const calls = show();
    await userEvent.click(await thumb('Good answer'));
    await userEvent.click(await thumb('Take “good answer” back'));
    expect(await thumb('Good answer')).toHaveAttribute('aria-pressed', 'false');
    expect(calls(ratingRoute)).toEqual([{ rating: 'up', ...bare }]);
    expect(calls(withdrawRoute)).toHaveLength(1);
    expect(screen.queryByRole('region', { name: 'What is wrong with it?' })).toBeNull();
  });

  it('offers no rating for an answer without text', async () => {
    const unsaid = sampleAnswer({ status: 'failed', failure: 'internal' }, { text: '' });
    const [asked, said] = ['3', '4'].map((last) => `msg_${'0'.repeat(25)}${last}` as MessageId) as [
      MessageId,
      MessageId,
    ];
    const answers = [
      sampleQuestion,
      unsaid,
      { ...sampleQuestion, id: asked, parentId: unsaid.id, position: 3, sequence: 3 },
      sampleAnswer({}, { id: said, parentId: asked, position: 4, sequence: 4 }),
    ];
    show([], { 'GET /api/chat/conversations/:conversationId/path': () => ({ ...samplePath(answers), title: 'VPN' }) });
    await thumb('Good answer');
    expect(screen.getAllByRole('button', { name: 'Good answer' })).toHaveLength(1);
  });

  it('reports an answer as bad with a reason, and names its readers before the person agrees', async () => {
    const calls = show();
    await userEvent.click(await thumb('Bad answer'));
    expect(calls(ratingRoute)).toEqual([{ rating: 'down', ...bare }]);
    await userEvent.click(await screen.findByRole('button', { name: 'Out of date' }));
    await userEvent.click(screen.getByRole('button', { name: 'Wrong facts' }));
    await userEvent.type(screen.getByLabelText('What should it say?'), 'The lock file.');
    const consent = screen.getByRole('checkbox', { name: 'Send the chat up to this answer along' });
    expect(consent).not.toBeChecked();
    await waitFor(() =>
      expect(consent).toHaveAccessibleDescription(
        '\u2068Kei Amasato\u2069 and 2 others can then read these 2 messages. The rest of the chat stays yours.',
      ),
    );
    await userEvent.click(consent);
    await userEvent.click(screen.getByRole('button', { name: 'Send feedback' }));
    expect(
      await screen.findByText('Your feedback was sent: Wrong facts, Out of date, a comment, 2 messages.'),
    ).toBeInTheDocument();
    expect(calls(ratingRoute).at(-1)).toEqual({
      rating: 'down',
      reasons: ['wrong-facts', 'out-of-date'],
      comment: 'The lock file.',
      messages: 2,
    });
  });

  it('reports an answer without any text of the conversation if the person doesn’t agree', async () => {
    const calls = show([rated]);
    await userEvent.click(await thumb('Bad answer: say what is wrong'));
    await userEvent.click(await screen.findByRole('button', { name: 'Refused' }));
    await userEvent.click(screen.getByRole('button', { name: 'Send feedback' }));
    await waitFor(() =>
      expect(calls(ratingRoute)).toEqual([{ rating: 'down', reasons: ['refused'], comment: '', messages: 0 }]),
    );
  });

  it('keeps the typed reason if the server refuses', async () => {
    show([rated], { [ratingRoute]: () => refuse('platform.storage-full') });
    await userEvent.click(await thumb('Bad answer: say what is wrong'));
    await userEvent.type(await screen.findByLabelText('What should it say?'), 'The lock file.');
    await userEvent.click(screen.getByRole('button', { name: 'Send feedback' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The disk of the server is full');
    expect(screen.getByLabelText('What should it say?')).toHaveValue('The lock file.');
  });

  it('shows the reply to a report below the answer', async () => {
    show([{ ...rated, reply: { text: 'It is four now.', by: 'Kei Amasato', at: '2026-11-12T10:00:00.000Z' } }]);
    const reply = await screen.findByRole('region', { name: 'Answer to your feedback' });
    expect(reply).toHaveTextContent('Kei Amasato answered your feedback, Nov 12, 2026');
    expect(reply).toHaveTextContent('It is four now.');
  });

  it('offers no rating to people without the permission', async () => {
    const calls = show([], {}, { permissions: ['org:read', 'chat:read', 'model:use'] });
    await screen.findByText('The certificate.');
    expect(screen.queryByRole('button', { name: 'Good answer' })).toBeNull();
    expect(calls('GET /api/chat/conversations/:conversationId/my-feedback')).toEqual([]);
  });
});
