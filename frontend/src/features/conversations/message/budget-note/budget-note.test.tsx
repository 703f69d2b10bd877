import { beforeEach, expect, it } from '@jest/globals';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { BudgetId, GroupId, Message, MessageId, Model, ModelKey, MyBudget } from '@parley/contracts';
import { installFakeApi } from '../../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../../testing/render.tsx';
import { sampleAnswer, sampleIds, sampleModel, sampleQuestion, samplePath } from '../../../../testing/samples.ts';
import { ConversationsPage } from '../../conversations-page.tsx';
import { PendingSendsProvider } from '../../state/pending-sends-context.tsx';

const budgetId = 'bud_01M7Z6X0BT7J6QPJC5FQE3HR05' as BudgetId;
const atlas = 'prv_00000000000000000000000001/atlas' as ModelKey;
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
  budget: MyBudget | MyBudget[],
  answer = sampleAnswer(
    { status: 'failed', failure: 'budget-spent', failureDetail: `${budgetId} 20000` },
    { text: '' },
  ),
  { earlier = [], price }: { earlier?: readonly Message[]; price?: Model['price'] } = {},
) {
  let mine = [budget].flat();
  let sequence = 2;
  const api = installFakeApi({
    'GET /api/chat/models': () => ({
      items: [{ ...sampleModel, key: atlas, ...(price !== undefined && { price }) }],
      documentCount: 3,
      indexedAt: null,
    }),
    'GET /api/chat/conversations/:conversationId/path': () => ({
      ...samplePath([...earlier, sampleQuestion, answer]),
      title: 'VPN',
    }),
    'GET /api/billing/my-budgets': () => ({
      items: mine,
      currency: 'EUR',
      timeZone: 'UTC',
      raisers: ['Ines Vardale', 'Samir Deltouf'],
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
    'PUT /api/chat/conversations/:conversationId/messages/:messageId/discarded': ({ body }) => ({
      ...sampleQuestion,
      sequence: (sequence += 1),
      ...(body.isDiscarded && { text: '', isDiscarded: true }),
    }),
    'DELETE /api/chat/conversations/:conversationId': () => undefined,
    'POST /api/billing/budget-requests': ({ body }) => {
      mine = mine.map((one) => ({ ...one, hasAsked: true }));
      return {
        amount: null,
        ...body,
        userId: sampleQuestion.author!.userId,
        name: 'Noor',
        at: '2026-11-21T10:00:00.000Z',
      };
    },
  });
  renderInOrganisation(
    <PendingSendsProvider>
      <ConversationsPage />
    </PendingSendsProvider>,
    { path: '/:locale/chat/:id', at: `/en/chat/${sampleIds.conversation}` },
  );
  return (wanted: string) => api.calls.filter(({ route }) => route === wanted).map(({ body }) => body);
}

beforeEach(() => localStorage.clear());

it('says what is spent, when the budget resets and who can raise it, and asks them with one click', async () => {
  const sent = show(spent);
  expect(await screen.findByText('The budget of the organisation is spent.')).toBeInTheDocument();
  const note = screen.getByText(/Resets on/);
  expect(note).toHaveTextContent(
    /€25.00 of €25.00\. Resets on December 1 at 00:00\. It can be raised by .*Ines Vardale\W+and \W*Samir Deltouf/,
  );
  expect(screen.getByText('This answer would hold').nextSibling).toHaveTextContent('€0.02');
  expect(screen.getByText(/^Budget spent until/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Send message again' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Ask for €10.00 more' }));
  expect(await screen.findByText(/You have asked for more/)).toBeInTheDocument();
  expect(sent('POST /api/billing/budget-requests')).toEqual([{ budgetId, amount: 10_000_000 }]);
});

it('offers to ask the question again in an open tab once there is budget', async () => {
  show({ ...spent, hardLimit: 30_000_000 });
  expect(await screen.findByText('There is budget again.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Send message again' })).toBeEnabled();
  expect(screen.getByText(/^€5.00 left until/)).toBeInTheDocument();
});

const hidden: MyBudget = {
  ...spent,
  scope: { kind: 'group', id: 'grp_01M7Z6X0BT7J6QPJC5FQE3HR05' as GroupId },
  softLimit: null,
  hardLimit: null,
  spent: null,
  held: null,
  countsFrom: '2026-11-05T09:00:00.000Z',
  share: { usedPercent: 97, stops: true, isWarned: true, isUsedUp: true },
};

it('shows only the percentage of a budget with hidden amounts, and the time since when it counts', async () => {
  const sent = show(hidden);
  expect(await screen.findByText('Too little of the budget is left for this answer.')).toBeInTheDocument();
  expect(screen.getByText(/^3% of it is left\. Resets on/)).toBeInTheDocument();
  const left = screen.getByText('3% left until December 1 at 00:00');
  expect(left).toHaveAttribute('title', 'Your group’s budget, counted since November 5 at 09:00');
  expect(document.body).not.toHaveTextContent('€');
  expect(screen.getByRole('button', { name: 'Send message again' })).toBeEnabled();
  await userEvent.click(screen.getByRole('button', { name: 'Ask for more' }));
  expect(await screen.findByText(/You have asked for more/)).toBeInTheDocument();
  expect(sent('POST /api/billing/budget-requests')).toEqual([{ budgetId }]);
});

it('says that there is budget again after a hidden limit was raised', async () => {
  show({ ...hidden, share: { ...hidden.share!, isUsedUp: false } });
  expect(await screen.findByText('There is budget again.')).toBeInTheDocument();
});

it('shows the budget that stops the next message first, in the server’s order', async () => {
  const own = {
    ...spent,
    id: `bud_${'1'.repeat(26)}` as BudgetId,
    scope: { kind: 'person' as const, id: sampleIds.user },
  };
  const first = { ...own, hardLimit: 1_100_000, spent: 0 };
  const model = { ...own, scope: { kind: 'model' as const, id: 'builtin' as ModelKey }, hardLimit: 1 };
  show([model, first, { ...spent, hardLimit: 50_000_000, spent: 0 }], sampleAnswer());
  expect(await screen.findByText(/^€1.10 left until/)).toBeInTheDocument();
});

it('says that a model without a price uses no budget in money, only budgets in tokens', async () => {
  const tokens = { ...spent, id: `bud_${'1'.repeat(26)}` as BudgetId, unit: 'tokens' as const };
  show([spent], sampleAnswer(), { price: null });
  expect(await screen.findByText('No price: not limited by a budget')).toBeInTheDocument();
  cleanup();
  show([spent, { ...tokens, hardLimit: 900, softLimit: null, spent: 100 }], sampleAnswer(), { price: null });
  expect(await screen.findByText(/^800 tokens left until/)).toBeInTheDocument();
});

const cut = sampleAnswer({
  status: 'failed',
  failure: 'output-limit',
  limitedBy: 'budget',
  model: { key: atlas, label: 'atlas' },
});
const isMain = (name: string) => screen.getByRole('button', { name }).dataset['variant'] === 'filled';

it('makes Continue the main button of an answer that its budget cut, once there is budget', async () => {
  show({ ...spent, share: { usedPercent: 100, stops: true, isWarned: true, isUsedUp: true } }, cut);
  expect(await screen.findByText(/^Budget spent until/)).toBeInTheDocument();
  expect(isMain('Continue answer')).toBe(false);
  cleanup();
  show({ ...spent, hardLimit: 50_000_000 }, cut);
  expect(await screen.findByText(/^€25.00 left until/)).toBeInTheDocument();
  expect(isMain('Continue answer')).toBe(true);
});

it('offers Continue after a request for more budget, and says what is kept once the budget was raised', async () => {
  const refused = sampleAnswer({ status: 'failed', failure: 'budget-spent', failureDetail: `${budgetId} 20000` });
  show({ ...spent, hasAsked: true }, refused);
  const asked = await screen.findByText(/You have asked for more/);
  const goOn = screen.getByRole('button', { name: 'Continue answer' });
  expect(goOn.parentElement).not.toContainElement(asked);
  expect(isMain('Continue answer')).toBe(false);
  cleanup();
  show({ ...spent, hardLimit: 50_000_000 }, refused);
  expect(
    await screen.findByText('The answer above is kept and can be continued.', { exact: false }),
  ).toBeInTheDocument();
  expect(screen.queryByText(/Nothing was charged/)).toBeNull();
});

it('shows the cost of an answer, and the tokens beyond its reservation', async () => {
  show(
    spent,
    sampleAnswer({
      model: { key: atlas, label: 'atlas' },
      usage: { inputTokens: 9, outputTokens: 9, estimated: false },
    }),
  );
  await waitFor(() => expect(screen.getByText(/€0.0082 · 12 tokens more than were held/)).toBeInTheDocument());
});

const earlier: Message = { ...sampleQuestion, id: `msg_${'0'.repeat(25)}9` as MessageId, position: 0, text: 'Before' };
const remove = 'DELETE /api/chat/conversations/:conversationId';

it('shows a refused question as kept and not sent, and discards it with Undo', async () => {
  const sent = show(spent, undefined, { earlier: [earlier] });
  expect(await screen.findByText('Kept, not sent')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Answer again' })).not.toBeInTheDocument();
  await userEvent.click(await screen.findByRole('button', { name: 'Discard message' }));
  await waitFor(() => expect(screen.queryByText(sampleQuestion.text)).not.toBeInTheDocument());
  expect(screen.getByText('Before')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText(sampleQuestion.text)).toBeInTheDocument();
  expect(screen.getByText('Kept, not sent')).toBeInTheDocument();
  expect(sent(remove)).toHaveLength(0);
});

it('discards a chat together with its only question', async () => {
  const sent = show(spent);
  await userEvent.click(await screen.findByRole('button', { name: 'Discard message' }));
  await waitFor(() => expect(sent(remove)).toHaveLength(1));
});
