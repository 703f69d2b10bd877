import { Button } from '@mantine/core';
import type { Message, MyBudget } from '@parley/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { defineMessages, useIntl } from 'react-intl';
import { api } from '../../../../lib/http.ts';
import { isOpen, leftOf, shareOf, useMyBudgets, type OpenBudget } from '../../../../domain/budget/my-budgets.ts';
import { useProblemText } from '../../../../lib/problem-texts.ts';
import { resourceKey } from '../../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../../lib/tab-organisation.tsx';
import { useText } from '../../../../lib/text.ts';
import { failureReasons } from '../../../../domain/message/answer-failures.ts';
import { Note } from '../../../../ui/note.tsx';
import { useActionOff } from '../../../../ui/stale.tsx';
import { fresh, useBudgetWords } from '../../state/budgets.ts';
import { useDiscard } from '../discard-message.ts';
import classes from './budget-note.module.css';

const titles = defineMessages({
  organisation: { id: 'failed.budget.spentOrganisation', defaultMessage: 'The budget of the organisation is spent.' },
  group: { id: 'failed.budget.spentGroup', defaultMessage: 'The budget of your group is spent.' },
  person: { id: 'failed.budget.spentPerson', defaultMessage: 'Your budget is spent.' },
  model: { id: 'failed.budget.spentModel', defaultMessage: 'The budget of this model is spent.' },
  chatbot: { id: 'failed.budget.spentChatbot', defaultMessage: 'The budget of this chatbot is spent.' },
});

const { tooLittle } = defineMessages({
  tooLittle: { id: 'failed.budget.tooLittle', defaultMessage: 'Too little of the budget is left for this answer.' },
});

type Props = { message: Message; /** Returns the ways to ask again, given if there is budget. */ askAgain: AskAgain };
type AskAgain = (hasBudget: boolean) => ReactNode;

/**
 * Explains that a budget refused an answer before a model was asked: how much is left of the budget, when it resets,
 * and who can raise it.
 */
export function BudgetNote({ message, askAgain }: Props) {
  const intl = useIntl();
  const { t } = useText();
  const { data } = useMyBudgets(fresh);
  const { amount, resets, percentLeft } = useBudgetWords(data?.currency ?? null, data?.timeZone ?? 'UTC');
  const [budgetId, wanted = '0'] = message.generation?.failureDetail?.split(' ') ?? [];
  const needed = Number(wanted);
  const budget = data?.items.find(({ id }) => id === budgetId);
  const sendOrDiscard = (
    <>
      {askAgain(true)}
      <Discard answer={message} />
    </>
  );
  if (!data || !budget) {
    return (
      <Note kind="danger" actions={sendOrDiscard}>
        {t(failureReasons['budget-spent'])}
      </Note>
    );
  }
  const open = isOpen(budget) ? budget : null;
  const share = shareOf(budget);
  if (!share.stops || (open ? leftOf(open) >= needed : !share.isUsedUp))
    return (
      <Note kind="success" actions={sendOrDiscard}>
        <b>{t({ id: 'failed.budget.again', defaultMessage: 'There is budget again.' })}</b>{' '}
        {message.text === ''
          ? t({ id: 'failed.budget.againText', defaultMessage: 'Your question is kept. Nothing was charged for it.' })
          : t({ id: 'failed.budget.againContinue', defaultMessage: 'The answer above is kept and can be continued.' })}
      </Note>
    );
  const names = data.raisers.slice(0, 3).map((name) => `\u2068${name}\u2069`);
  const when = resets(budget.resetsAt);
  return (
    <Note
      kind="danger"
      actions={
        <>
          {budget.hasAsked ? null : <AskForMore budget={budget} needed={needed} amount={amount} />}
          {budget.hasAsked || !open ? askAgain(false) : null}
          <Discard answer={message} />
        </>
      }
    >
      <b>{t(share.usedPercent === 100 ? titles[budget.scope.kind] : tooLittle)}</b>{' '}
      {open
        ? t(
            { id: 'failed.budget.spentText', defaultMessage: '{spent} of {limit}. Resets on {when}.' },
            { spent: amount(open, open.spent), limit: amount(open, open.hardLimit ?? 0), when },
          )
        : t(
            { id: 'failed.budget.shareText', defaultMessage: '{share} of it is left. Resets on {when}.' },
            { share: percentLeft(budget), when },
          )}{' '}
      {names.length > 0
        ? t(
            { id: 'failed.budget.raisers', defaultMessage: 'It can be raised by {names}.' },
            { names: intl.formatList(names) },
          )
        : null}
      {open ? <Figures budget={open} needed={amount(open, needed)} left={amount(open, leftOf(open))} /> : null}
      {budget.hasAsked ? (
        <output className={classes.asked}>
          {t({
            id: 'failed.budget.asked',
            defaultMessage: 'You have asked for more. Once it is raised you can send your message here.',
          })}
        </output>
      ) : null}
    </Note>
  );
}

/** Offers to discard the question of a refused answer, but only while no model was asked that question. */
function Discard({ answer }: { answer: Message }) {
  const { t } = useText();
  const off = useActionOff();
  const mayDiscard = useRight('chat:delete');
  const discard = useDiscard(answer);
  if (!mayDiscard || !discard) return null;
  return (
    <Button size="xs" variant="subtle" onClick={discard} {...off}>
      {t({ id: 'failed.budget.discard', defaultMessage: 'Discard message' })}
    </Button>
  );
}

function Figures({ budget, needed, left }: { budget: OpenBudget; needed: string; left: string }) {
  const { t } = useText();
  const share = (value: number) => `${Math.min(100, (100 * value) / (budget.hardLimit ?? 1))}%`;
  return (
    <div className={classes.figures}>
      <div className={classes.track} aria-hidden="true">
        <span className={classes.spent} style={{ inlineSize: share(budget.spent) }} />
        {budget.softLimit === null ? null : (
          <span className={classes.warn} style={{ insetInlineStart: share(budget.softLimit) }} />
        )}
      </div>
      <dl className={classes.rows}>
        <dt>{t({ id: 'failed.budget.wouldHold', defaultMessage: 'This answer would hold' })}</dt>
        <dd>{needed}</dd>
        <dt>{t({ id: 'failed.budget.leftNow', defaultMessage: 'Left' })}</dt>
        <dd>{left}</dd>
      </dl>
    </div>
  );
}

function AskForMore({
  budget,
  needed,
  amount,
}: {
  budget: MyBudget;
  needed: number;
  amount: (budget: MyBudget, value: number) => string;
}) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const describe = useProblemText();
  const off = useActionOff();
  // The person can't see the budget's limit, so the server decides how much more to request.
  const more = isOpen(budget)
    ? Math.max(roundedUp((budget.hardLimit ?? 0) * 0.4), roundedUp(needed - leftOf(budget)))
    : undefined;
  const ask = useMutation({
    mutationFn: () =>
      api('POST /api/billing/budget-requests', {
        orgId,
        body: { budgetId: budget.id, ...(more && { amount: more }) },
        retries: 2,
      }),
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('my-budgets', orgId) }),
  });
  return (
    <>
      <Button size="xs" variant="filled" loading={ask.isPending} onClick={() => ask.mutate()} {...off}>
        {more === undefined
          ? t({ id: 'failed.budget.askAny', defaultMessage: 'Ask for more' })
          : t({ id: 'failed.budget.ask', defaultMessage: 'Ask for {amount} more' }, { amount: amount(budget, more) })}
      </Button>
      {ask.error ? <span role="alert">{describe(ask.error).text}</span> : null}
    </>
  );
}

/** Rounds up to one significant digit, because people don't ask for 9.73. */
function roundedUp(value: number): number {
  const digit = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return Math.ceil(value / digit) * digit;
}
