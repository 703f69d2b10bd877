import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ChunkId, DocumentId, FeedbackCase, MessageId } from '@parley/contracts';
import type { OrgRole } from '@parley/contracts/permissions';
import { csvOf } from '../../lib/csv.ts';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../testing/fake-api.ts';
import {
  sampleAssignee,
  sampleCase,
  sampleChatbot,
  sampleItem,
  sampleReporter,
} from '../../testing/feedback-samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { csvRowOf } from './feedback-csv.ts';
import { FeedbackPage } from './feedback-page.tsx';

const items = [
  sampleItem(1),
  sampleItem(2, { comment: '', question: 'What is the hotel cap?', state: 'in-work', assignee: sampleAssignee }),
  sampleItem(3, { comment: '', rating: 'up', reasons: [], state: null }),
];
const counts = {
  up: 91,
  down: 9,
  chatbots: [
    {
      ...sampleChatbot,
      versions: [
        { version: 10, up: 3, down: 0 },
        { version: 9, up: 88, down: 9 },
      ],
    },
  ].map(({ id, name, glyph, versions }) => ({ id, name, glyph, versions })),
  isCut: false,
};

function show(handlers: Handlers = {}, { role = 'owner' as OrgRole, search = '' } = {}) {
  const asked: Record<string, string>[] = [];
  const api = installFakeApi({
    'GET /api/chat/feedback': ({ query }) => {
      asked.push(query as never);
      return { items, nextCursor: null, open: 12 };
    },
    'GET /api/chat/feedback-counts': () => counts,
    'GET /api/chat/feedback-assignees': () => ({ items: [sampleAssignee] }),
    'GET /api/chat/feedback/:feedbackId': () => sampleCase(),
    ...handlers,
  });
  const page = { path: '/:locale/settings/feedback', at: `/en/settings/feedback${search}`, role };
  renderInOrganisation(<FeedbackPage />, page);
  const calls = (wanted: string) => api.calls.filter(({ route }) => route === wanted).map(({ body }) => body);
  return { asked, calls };
}
const openCase = `?case=${sampleCase().id}`;

describe('the list', () => {
  it('shows what is open, each case by the words of whoever reported it', async () => {
    const { asked } = show();
    const rows = (await screen.findAllByRole('row')).slice(1).map((row) => row.textContent);
    expect(rows).toEqual([
      'The €35 allowance was replaced.\u2068Tomas Brekhold\u2069 · Out of date\u2068Policy Reader\u2069 9NewnobodyNov 20, 2026',
      'What is the hotel cap?\u2068Tomas Brekhold\u2069 · Out of date\u2068Policy Reader\u2069 9In workKei AmasatoNov 20, 2026',
      'Good answer\u2068Tomas Brekhold\u2069\u2068Policy Reader\u2069 9Nothing to donobodyNov 20, 2026',
    ]);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Feedback 12 open');
    expect(asked[0]).toEqual({});
  });

  it('names what nobody has published of a chatbot like the studio does', async () => {
    const first = sampleItem(1);
    const item = { ...first, chatbot: { ...first.chatbot, version: 0 } };
    show({ 'GET /api/chat/feedback': () => ({ items: [item], nextCursor: null, open: 1 }) });
    expect(await screen.findByText('\u2068Policy Reader\u2069 · Original')).toBeInTheDocument();
  });

  it('keeps its filters in the address; a good rating is in no state, so that all states are shown for it', async () => {
    const { asked } = show({}, { search: '?reason=refused' });
    await screen.findAllByRole('row');
    expect(asked[0]).toEqual({ reason: 'refused' });
    await userEvent.click(screen.getByRole('button', { name: 'Rating' }));
    await userEvent.click(await screen.findByRole('menuitemradio', { name: 'Good answer' }));
    await waitFor(() => expect(asked.at(-1)).toEqual({ reason: 'refused', rating: 'up', state: 'all' }));
    await userEvent.click(screen.getByRole('button', { name: 'Reason: Refused, remove this filter' }));
    await waitFor(() => expect(asked.at(-1)).toEqual({ rating: 'up', state: 'all' }));
  });

  it('says that nothing is open, and that nothing matches', async () => {
    show({ 'GET /api/chat/feedback': () => ({ items: [], nextCursor: null, open: 0 }) });
    expect(await screen.findByText('No feedback is open')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show all feedback' }));
    expect(await screen.findByText('No feedback matches')).toBeInTheDocument();
  });

  it('says what failed, and that a right is missing', async () => {
    show({ 'GET /api/chat/feedback': () => refuse('platform.forbidden') });
    expect(await screen.findByText(/role in this organisation does not include/)).toBeInTheDocument();
  });

  it('is a file that no spreadsheet takes for a formula', async () => {
    const csv = await csvOf([csvRowOf(sampleItem(1, { comment: '=HYPERLINK("https://evil.example")' }))]);
    expect(csv).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
  });
});

describe('the counts', () => {
  const { matchMedia } = window;
  beforeEach(() => {
    window.matchMedia = (query) => Object.assign(matchMedia(query), { matches: query.includes('min-width') });
  });
  afterEach(() => {
    window.matchMedia = matchMedia;
  });

  it('are shares with how many there were and their range, and no share where there are too few', async () => {
    show();
    const panel = await screen.findByRole('complementary', { name: 'Good answers, last 30 days' });
    await waitFor(() =>
      expect(panel).toHaveTextContent('\u206891%\u2069 of 100 ratings, \u206884%\u2069 to \u206895%\u2069'),
    );
    expect(
      within(panel)
        .getAllByRole('listitem')
        .map((one) => one.textContent),
    ).toEqual(['10Version 103 ratingstoo few to tell', '9Version 997 ratings\u206891%\u2069']);
  });
});

const shared = {
  items: [
    {
      id: `msg_${'1'.repeat(26)}` as MessageId,
      role: 'person' as const,
      text: 'How much is the night allowance?',
      at: '2026-11-20T10:40:00.000Z',
      citations: [],
    },
    {
      id: `msg_${'2'.repeat(26)}` as MessageId,
      role: 'assistant' as const,
      text: 'It is **€35** [1].',
      at: '2026-11-20T10:40:09.000Z',
      citations: [{ number: 1, chunkId: `chk_${'1'.repeat(26)}` as ChunkId, curatedAnswerId: null }],
    },
  ],
};

describe('the conversation of a case', () => {
  it('without consent says that nobody here can read the conversation', async () => {
    const { calls } = show({}, { search: openCase });
    expect(await screen.findByText(/was not sent along/)).toBeInTheDocument();
    expect(screen.getByText('The €35 allowance was replaced.', { selector: 'blockquote' })).toBeInTheDocument();
    expect(calls('GET /api/chat/feedback/:feedbackId/shared-messages')).toEqual([]);
  });

  it('shows what was sent along, and of its sources those that one may read', async () => {
    show(
      {
        'GET /api/chat/feedback/:feedbackId': () => sampleCase({ sharedMessages: 2, question: 'How much?' }),
        'GET /api/chat/feedback/:feedbackId/shared-messages': () => shared,
        'GET /api/chat/passages/:chunkId': () => refuse('chat.passage-not-found'),
      },
      { search: openCase },
    );
    expect(await screen.findByText('€35', { selector: 'strong' })).toBeInTheDocument();
    expect(await screen.findByText(/This source is gone, or is not yours to read/)).toBeInTheDocument();
  });

  it('draws what was answered as the chat does: a number opens its source, with its table', async () => {
    const passage = {
      chunkId: `chk_${'1'.repeat(26)}` as ChunkId,
      documentId: `doc_${'1'.repeat(26)}` as DocumentId,
      asOf: null,
      documentName: 'Travel policy',
      heading: null,
      indexedAt: '2026-11-20T09:00:00.000Z',
      before: '',
      text: '| Day | Night |\n| --- | --- |\n| €10 | €35 |',
      after: '',
    };
    show(
      {
        'GET /api/chat/feedback/:feedbackId': () => sampleCase({ sharedMessages: 2, question: 'How much?' }),
        'GET /api/chat/feedback/:feedbackId/shared-messages': () => shared,
        'GET /api/chat/passages/:chunkId': () => passage,
      },
      { search: openCase },
    );
    const number = await screen.findByRole('button', { name: 'Source 1' });
    const source = await screen.findByRole('button', { name: 'Travel policy' });
    await userEvent.click(number);
    expect(await screen.findByRole('columnheader', { name: 'Night' })).toBeInTheDocument();
    expect(number).toHaveAttribute('aria-expanded', 'true');
    await userEvent.click(source);
    expect(screen.queryByRole('columnheader', { name: 'Night' })).not.toBeInTheDocument();
  });
});

describe('a case', () => {
  it('is given a state and somebody who has it, and answered; each with the revision that was seen', async () => {
    let kept: FeedbackCase = sampleCase();
    const grow = (more: Partial<FeedbackCase>) => (kept = { ...kept, ...more, revision: kept.revision + 1 });
    const { calls } = show(
      {
        'GET /api/chat/feedback/:feedbackId': () => kept,
        'PATCH /api/chat/feedback/:feedbackId': ({ body }) =>
          grow(body.state ? { state: body.state } : { assignee: sampleAssignee }),
        'PUT /api/chat/feedback/:feedbackId/reply': ({ body }) =>
          grow({ reply: { text: body.text, by: 'Ines Vardale', at: '2026-11-21T10:00:00.000Z' } }),
      },
      { search: openCase },
    );
    await userEvent.selectOptions(await screen.findByLabelText('State'), 'In work');
    await screen.findByRole('option', { name: 'Kei Amasato' });
    await userEvent.selectOptions(screen.getByLabelText('Who has it'), 'Kei Amasato');
    await userEvent.type(screen.getByRole('textbox', { name: /^Answer/ }), 'It is €48 now.');
    await userEvent.click(screen.getByRole('button', { name: 'Send answer' }));
    expect(await screen.findByText('It is €48 now.')).toBeInTheDocument();
    expect(calls('PATCH /api/chat/feedback/:feedbackId')).toEqual([
      { revision: 3, state: 'in-work' },
      { revision: 4, assigneeId: sampleAssignee.userId },
    ]);
    expect(calls('PUT /api/chat/feedback/:feedbackId/reply')).toEqual([{ revision: 5, text: 'It is €48 now.' }]);
  });

  it('that somebody else has changed is shown as it is now', async () => {
    let kept = sampleCase();
    show(
      {
        'GET /api/chat/feedback/:feedbackId': () => kept,
        'PATCH /api/chat/feedback/:feedbackId': () =>
          refuseOld((kept = sampleCase({ state: 'wont-fix', revision: 4 }))),
      },
      { search: openCase },
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as fixed' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Somebody changed this meanwhile');
    expect(screen.getByLabelText('State')).toHaveDisplayValue('Won’t fix');
  });

  it('that was taken back says so', async () => {
    show({ 'GET /api/chat/feedback/:feedbackId': () => refuse('chat.feedback-not-found') }, { search: openCase });
    expect(await screen.findByText('This feedback was taken back')).toBeInTheDocument();
  });

  it('is read only for whoever may only read', async () => {
    show({}, { search: openCase, role: 'analyst' });
    expect(await screen.findByText(/rated it/)).toHaveTextContent(sampleReporter.name);
    for (const name of ['Mark as fixed', 'Write the right answer', 'Send answer'])
      expect(screen.queryByRole('button', { name })).toBeNull();
  });
});
