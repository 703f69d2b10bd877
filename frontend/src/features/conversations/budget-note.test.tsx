import { beforeEach, expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { BudgetId, MyBudget } from '@parley/contracts';
import { installFakeApi } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleAnswer, sampleIds, sampleModel, sampleQuestion } from '../../testing/samples.ts';
import { ConversationsPage } from './conversations-page.tsx';
import { PendingSendsProvider } from './pending-sends-context.tsx';

const budgetId = 'bud_01M7Z6X0BT7J6QPJC5FQE3HR05' as BudgetId;
const spent: MyBudget = {
  id: budgetId,
  scope: { kind: 'organisation' },
  period: 'month',
  unit: 'money',
  softLimit: 20_000_000,
  hardLimit: 25_000_000,
  spent: 25_000_000,
  held: 0,
  periodStart: '2026-11-01',
  resetsAt: '2026-12-01T00:00:00.000Z',
  version: 1,
  hasAsked: false,
};

function show(
  budget: MyBudget,
  answer = sampleAnswer(
    { status: 'failed', failure: 'budget-spent', failureDetail: `${budgetId} 20000` },
    { text: '' },
  ),
) {
  let mine = budget;
  const api = installFakeApi({
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 3, indexedAt: null }),
    'GET /api/chat/conversations/:conversationId/messages': () => ({
      items: [sampleQuestion, answer],
      sequence: 2,
      hasOlder: false,
      title: 'VPN',
    }),
    'GET /api/billing/my-budgets': () => ({
      items: [mine],
      currency: 'EUR',
      timeZone: 'UTC',
      raisers: ['Ines Vardale'],
    }),
    'GET /api/billing/my-answers': () => ({
      items: [
        {
          generationId: answer.generation!.id,
          costMicros: 8_200,
          currency: 'EUR',
          excess: { costMicros: 40, tokens: 12 },
        },
      ],
    }),
    'POST /api/billing/budget-requests': ({ body }) => {
      mine = { ...mine, hasAsked: true };
      return { ...body, userId: sampleQuestion.author!.userId, name: 'Noor', at: '2026-11-21T10:00:00.000Z' };
    },
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  return () => api.calls.filter(({ route }) => route === 'POST /api/billing/budget-requests').map(({ body }) => body);
}

beforeEach(() => localStorage.clear());

it('says what is spent, when it starts again and who can raise it, and asks them with one click', async () => {
  const sent = show(spent);
  expect(await screen.findByText('The budget of the organisation is spent.')).toBeInTheDocument();
  const note = screen.getByText(/It starts again on/);
  expect(note).toHaveTextContent(
    /€25.00 of €25.00\. It starts again on December 1 at 00:00\. It can be raised by .*Ines Vardale/,
  );
  expect(screen.getByText('This answer would hold').nextSibling).toHaveTextContent('€0.02');
  expect(screen.getByText(/^Budget spent until/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Ask again' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Ask for €10.00 more' }));
  expect(await screen.findByText(/You have asked for more/)).toBeInTheDocument();
  expect(sent()).toEqual([{ budgetId, amount: 10_000_000 }]);
});

it('lets the question be asked again once there is budget, in the tab that is open', async () => {
  show({ ...spent, hardLimit: 30_000_000 });
  expect(await screen.findByText('There is budget again.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Ask again' })).toBeEnabled();
  expect(screen.getByText(/^€5.00 left until/)).toBeInTheDocument();
});

it('shows what an answer has cost, and what went beyond its limit', async () => {
  const key = 'prv_00000000000000000000000001/atlas' as never;
  show(
    spent,
    sampleAnswer({ model: { key, label: 'atlas' }, usage: { inputTokens: 9, outputTokens: 9, estimated: false } }),
  );
  await waitFor(() => expect(screen.getByText(/€0.0082 · 12 tokens more than were held/)).toBeInTheDocument());
});
