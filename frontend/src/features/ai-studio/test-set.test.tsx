import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChatbotTests, TestRun } from '@parley/contracts';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import {
  noTests,
  sampleBotId,
  sampleContent,
  sampleDraft,
  sampleVersion,
  studioHandlers,
} from '../../testing/chatbot-samples.ts';
import { sampleSite, sampleUploads } from '../../testing/connection-samples.ts';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { AiStudioPage } from './ai-studio-page.tsx';

const kei = { userId: sampleVersion().by!.userId, name: 'Kei Amasato' };
const tests: ChatbotTests = {
  ...noTests,
  items: ['Which relay?', 'Who is on call?'].map((question, at) => ({
    id: `tst_01M7Z6X0BT7J6QPJC5FQE3HR3${at}` as never,
    revision: 1,
    question,
    expects: { words: ['51N-7'], passages: [] },
    editedAt: '2026-11-21T10:00:00.000Z',
    editedBy: kei,
  })),
};
const aRun = (over: Partial<TestRun> = {}): TestRun => ({
  id: 'run_01M7Z6X0BT7J6QPJC5FQE3HR61' as never,
  chatbotId: sampleBotId,
  version: null,
  isOfDraft: true,
  status: 'running',
  startedBy: kei,
  startedAt: '2026-11-21T10:30:00.000Z',
  finishedAt: null,
  counts: { all: 2, ended: 1, passed: 1 },
  results: tests.items.map(({ id, question }, at) => ({
    testId: id,
    revision: 1,
    question,
    state: at === 0 ? ('passed' as const) : ('running' as const),
    missing: { words: [], passages: [] },
    trialId: null,
  })),
  ...over,
});
const summaryOf = ({ results: _results, ...facts }: TestRun) => facts;

beforeEach(() => localStorage.clear());

function show(handlers: Handlers, search: string, draft = sampleDraft()) {
  const api = installFakeApi({ ...studioHandlers(draft), ...handlers });
  renderInOrganisation(<AiStudioPage />, {
    path: '/:locale/settings/aiStudio-chatbot-settings',
    at: `/en/settings/aiStudio-chatbot-settings?bot=${sampleBotId}&${search}`,
    role: 'owner',
  });
  return (route: string) => api.calls.filter((call) => call.route === route).map(({ body }) => body);
}
const testsOf = 'GET /api/chat/chatbot-drafts/:chatbotId/tests';
const runsOf = 'GET /api/chat/chatbot-drafts/:chatbotId/test-runs';
const start = 'POST /api/chat/chatbot-drafts/:chatbotId/test-runs';
const setGate = 'PUT /api/chat/chatbot-drafts/:chatbotId/gate';

describe('the test set', () => {
  it('without a test says what one is, and offers to make it', async () => {
    show({}, 'tab=tests');
    expect(await screen.findByText('No tests yet')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Add test' })).toBeEnabled();
    expect(screen.queryByRole('button', { name: 'Run tests' })).not.toBeInTheDocument();
  });

  it('that cannot be loaded says so, and is asked for again', async () => {
    let isAway = true;
    show({ [testsOf]: () => (isAway ? refuse('platform.internal') : tests) }, 'tab=tests');
    expect(await screen.findByText('The tests could not be loaded')).toBeInTheDocument();
    isAway = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Which relay?')).toBeInTheDocument();
  });

  it('is run for the first time on the draft, and shows how far that is', async () => {
    let runs: TestRun[] = [];
    const sent = show(
      {
        [testsOf]: () => tests,
        [runsOf]: () => ({ items: runs.map(summaryOf) }),
        'GET /api/chat/test-runs/:runId': () => runs[0],
        [start]: () => (runs = [aRun()])[0],
      },
      'tab=tests',
    );
    expect(await screen.findByText('Not run yet')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Run tests' }));
    expect(await screen.findByText('1 of 2 have ended')).toBeInTheDocument();
    expect(screen.getByText('Pass')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Stop run' })).toBeInTheDocument();
    expect(sent(start)).toMatchObject([{ version: null }]);
  });

  it('says why a run does not begin, and does not call it never run where nobody knows', async () => {
    show(
      {
        [testsOf]: () => tests,
        [runsOf]: () => refuse('platform.internal'),
        [start]: () => refuse('platform.conflict'),
      },
      'tab=tests',
    );
    expect(await screen.findByText(/The runs could not be loaded/)).toBeInTheDocument();
    expect(screen.queryByText('Not run yet')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Run tests' }));
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(2));
  });
});

describe('the publish gate', () => {
  it('is set to so many tests, seen as none before, and what the server refuses is said', async () => {
    let kept = tests;
    const sent = show(
      {
        [testsOf]: () => kept,
        [setGate]: ({ body }) => {
          if (kept.gate) return refuse('platform.conflict');
          kept = { ...tests, gate: body.gate };
          return { gate: body.gate };
        },
      },
      'tab=tests',
    );
    const field = await screen.findByLabelText('Before publishing');
    expect(field).toHaveValue('0');
    await userEvent.selectOptions(field, 'At least 2 of 2 have to pass');
    expect(await screen.findByText('publishing needs 2')).toBeInTheDocument();
    expect(sent(setGate)).toEqual([{ was: null, gate: { least: 2 } }]);
    await waitFor(() => expect(field).toBeEnabled());
    await userEvent.selectOptions(field, 'No test has to pass');
    expect(await screen.findByRole('alert')).toHaveTextContent(/changed/i);
  });
});

describe('the choice of connections', () => {
  const connectionsOf = 'GET /api/chat/connections';
  const withChoice = (connectionIds: string[] | null) => {
    const knowledge = { passages: 6, onlyFromDocuments: false, connectionIds: connectionIds as never };
    return sampleDraft({ content: sampleContent({ knowledge }) });
  };
  const choice = (name: string) => screen.findByRole('checkbox', { name: new RegExp(`^${name}`) });
  const put = 'PUT /api/chat/chatbot-drafts/:chatbotId';

  it('begins with all of them; some are named with what they hold, and none finds nothing', async () => {
    const sent = show(
      {
        [connectionsOf]: () => ({ items: [sampleUploads, sampleSite()] }),
        [put]: ({ body }) => sampleDraft({ ...body, revision: body.revision + 1 }),
      },
      'part=knowledge',
    );
    expect(await screen.findByLabelText(/^In all data connections/)).toBeChecked();
    await userEvent.click(screen.getByLabelText('Only in some of them'));
    expect(screen.getByText(/None is chosen yet/)).toBeInTheDocument();
    expect(await choice('Uploads')).not.toBeChecked();
    await userEvent.click(await choice('Runbooks and wiki'));
    expect(screen.getByText('41 documents')).toBeInTheDocument();
    await waitFor(() =>
      expect(sent(put).at(-1)).toMatchObject({ content: { knowledge: { connectionIds: [sampleSite().id] } } }),
    );
  });

  it('counts those that one cannot see, and keeps them', async () => {
    const elsewhere = 'con_00000000000000000000000009';
    show({ [connectionsOf]: () => ({ items: [] }) }, 'part=knowledge', withChoice([elsewhere]));
    expect(await screen.findByText(/And 1 more that you cannot see/)).toBeInTheDocument();
  });

  it('that cannot be loaded says so, and calls none of them gone', async () => {
    show({ [connectionsOf]: () => refuse('platform.internal') }, 'part=knowledge', withChoice([sampleSite().id]));
    expect(await screen.findByRole('alert')).toHaveTextContent('The data connections could not be loaded.');
    expect(screen.queryByText(/that you cannot see/)).not.toBeInTheDocument();
  });
});
