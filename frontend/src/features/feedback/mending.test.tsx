import { describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ConversationId, CuratedAnswer, GenerationId, Trial, TrialId } from '@parley/contracts';
import { sampleContent } from '../../testing/chatbot-samples.ts';
import { installFakeApi, refuseOld, type Handlers } from '../../testing/fake-api.ts';
import { sampleAssignee, sampleCase, sampleChatbot, sampleCurated } from '../../testing/feedback-samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { FeedbackPage } from './feedback-page.tsx';

const content = sampleContent({ name: 'Policy Reader', glyph: 'book', instructions: '' });
const draft = {
  id: sampleChatbot.id,
  isDefault: false,
  revision: 4,
  content,
  isChanged: false,
  editedAt: null,
  editedBy: null,
  published: { version: 10, note: '', by: null, publishedAt: null, content },
};
const trial = (more: Partial<Trial> = {}): Trial => ({
  id: `trl_${'0'.repeat(26)}` as TrialId,
  chatbotId: sampleChatbot.id,
  version: 10,
  question: 'How much?',
  conversationId: sampleIds.conversation as ConversationId,
  generationId: sampleIds.generation as GenerationId,
  askedBy: sampleAssignee,
  askedAt: '2026-11-21T10:00:00.000Z',
  status: 'running',
  failure: null,
  failureDetail: null,
  text: '',
  citations: [],
  found: [],
  model: { key: 'builtin' as never, label: 'Built-in assistant' },
  usage: null,
  firstTokenMs: null,
  totalMs: null,
  ...more,
});

function show(handlers: Handlers, search: string) {
  const api = installFakeApi({
    'GET /api/chat/feedback': () => ({ items: [], nextCursor: null, open: 0 }),
    'GET /api/chat/feedback-counts': () => ({ up: 0, down: 0, chatbots: [], isCut: false }),
    'GET /api/chat/feedback-assignees': () => ({ items: [sampleAssignee] }),
    'GET /api/chat/feedback/:feedbackId': () => sampleCase(),
    'GET /api/chat/chatbots': () => ({ items: [] }),
    'GET /api/chat/chatbot-drafts/:chatbotId': () => draft,
    'GET /api/chat/curated-answers': () => ({ items: [sampleCurated()], nextCursor: null }),
    ...handlers,
  });
  renderInOrganisation(<FeedbackPage />, { path: '/:locale/settings/feedback', at: `/en/settings/feedback?${search}` });
  return (wanted: string) => api.calls.filter(({ route }) => route === wanted).map(({ body }) => body);
}
const openCase = `case=${sampleCase().id}`;

describe('a case is mended', () => {
  it('by asking the version of today, beside what was said then', async () => {
    const asking = 'POST /api/chat/chatbot-drafts/:chatbotId/trials';
    const calls = show(
      {
        [asking]: () => trial(),
        'GET /api/chat/trials/:trialId': () => trial({ status: 'done', text: 'It is €48.', totalMs: 2100 }),
      },
      openCase,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Ask today’s version' }));
    await userEvent.type(screen.getByLabelText('Question'), 'How much?');
    await userEvent.click(await screen.findByRole('button', { name: 'Ask version 10' }));
    const now = await screen.findByRole('region', { name: 'Now' });
    await waitFor(() => expect(now).toHaveTextContent('Version 10 · 2.1 sIt is €48.'));
    expect(screen.getByRole('region', { name: 'Then' })).toHaveTextContent('The old answer was not sent along.');
    expect(calls(asking)).toMatchObject([{ question: 'How much?', version: 10 }]);
  });

  it('by a test, which needs a word that has to stand in the answer', async () => {
    const making = 'POST /api/chat/chatbot-drafts/:chatbotId/tests';
    const calls = show(
      {
        [making]: ({ body: { id, question, expects } }) => ({
          id,
          revision: 1,
          question,
          expects,
          editedAt: '2026-11-21T10:00:00.000Z',
          editedBy: sampleAssignee,
        }),
      },
      openCase,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Make it a test' }));
    await userEvent.type(screen.getByLabelText('Question'), 'How much?');
    const add = screen.getByRole('button', { name: 'Add to test set' });
    expect(add).toBeDisabled();
    await userEvent.type(screen.getByLabelText('Words that the answer must contain'), '€48, night ,');
    await userEvent.click(add);
    expect(await screen.findByText(/is in the chatbot’s test set/)).toBeInTheDocument();
    expect(calls(making)).toMatchObject([
      { question: 'How much?', expects: { words: ['€48', 'night'], passages: [] } },
    ]);
  });

  it('by the right answer, which stands in the case', async () => {
    const writing = 'POST /api/chat/curated-answers';
    const calls = show(
      { [writing]: ({ body: { id, feedbackId: _feedbackId, ...said } }) => sampleCurated({ id, ...said }) },
      openCase,
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Write the right answer' }));
    const panel = screen.getByRole('complementary', { name: 'Write the right answer' });
    await userEvent.click(within(panel).getByRole('button', { name: 'Save curated answer' }));
    expect(panel).toHaveTextContent('Write one to five questions');
    await userEvent.type(within(panel).getByLabelText('Questions that it answers'), 'How much?{enter}What do I get?');
    await userEvent.type(within(panel).getByLabelText('Answer'), 'It is €48.');
    await userEvent.click(within(panel).getByRole('button', { name: 'Save curated answer' }));
    await waitFor(() => expect(panel).not.toBeInTheDocument());
    expect(calls(writing)).toMatchObject([
      {
        questions: ['How much?', 'What do I get?'],
        text: 'It is €48.',
        chatbotId: sampleChatbot.id,
        feedbackId: sampleCase().id,
      },
    ]);
  });
});

describe('curated answers', () => {
  it('are listed with their state and whoever wrote them', async () => {
    show({}, 'tab=answers');
    const [, row] = await screen.findAllByRole('row');
    expect(row).toHaveTextContent('How much is the night allowance?It is €48.every chatbotFoundKei Amasato');
  });

  it('are changed over nobody’s change: what somebody else has written is shown, and one’s own stays', async () => {
    let kept: CuratedAnswer = sampleCurated();
    const changing = 'PUT /api/chat/curated-answers/:curatedAnswerId';
    const calls = show(
      {
        'GET /api/chat/curated-answers': () => ({ items: [kept], nextCursor: null }),
        [changing]: ({ body: { revision, ...said } }) =>
          revision === 2
            ? refuseOld((kept = sampleCurated({ text: 'It is €50.', revision: 3 })))
            : (kept = sampleCurated({ ...said, revision: revision + 1 })),
      },
      'tab=answers',
    );
    await userEvent.click(await screen.findByRole('button', { name: /^Edit the answer to/ }));
    const text = screen.getByLabelText('Answer');
    await userEvent.clear(text);
    await userEvent.type(text, 'It is €52.');
    await userEvent.click(screen.getByRole('checkbox', { name: 'It is found' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save curated answer' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('It is €50.');
    expect(screen.getByLabelText('Answer')).toHaveValue('It is €52.');
    await userEvent.click(screen.getByRole('button', { name: 'Save curated answer' }));
    await waitFor(() => expect(calls(changing)).toHaveLength(2));
    expect(calls(changing).at(-1)).toMatchObject({ revision: 3, text: 'It is €52.', isActive: false });
  });

  it('are deleted when that is confirmed', async () => {
    const calls = show({ 'DELETE /api/chat/curated-answers/:curatedAnswerId': () => undefined }, 'tab=answers');
    await userEvent.click(await screen.findByRole('button', { name: /^Delete the answer to/ }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Delete curated answer' }));
    await waitFor(() => expect(calls('DELETE /api/chat/curated-answers/:curatedAnswerId')).toHaveLength(1));
  });
});
