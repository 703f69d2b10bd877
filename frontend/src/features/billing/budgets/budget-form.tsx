import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Budget } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import form from '../../../ui/form.module.css';
import { useActionOff } from '../../../ui/stale.tsx';
import billing from '../parts/billing.module.css';
import { isKnown, type Budgets } from './use-budgets.ts';
import { useBudgetWords } from './use-budget-words.ts';
import { useSaveBudget, type BudgetDraft } from './use-save-budget.ts';
import classes from './budget.module.css';
import { ScopeChoice } from './scope-choice.tsx';
import { SetPrices } from '../parts/set-prices.tsx';

type Props = {
  /** Null for a new one. */
  budget: Budget | null;
  /** The person whose wish for more fills in the stop. */
  raiseFor: string | null;
  budgets: Budgets;
  onClose: () => void;
};

/** Whose budget it is, how often it starts again and its unit are chosen once; its limits can be changed. */
export function BudgetForm({ budget, raiseFor, budgets, onClose }: Props) {
  const { t } = useText();
  const off = useActionOff();
  const { currency } = budgets;
  const wishes = budgets.requests.filter(({ budgetId }) => budgetId === budget?.id);
  const request = wishes.find(({ userId }) => userId === raiseFor);
  const saving = useSaveBudget({ budget, request, currency, onSaved: onClose });
  const { fields, submit, failure, isBusy, isRaised, theirs } = saving;
  const isMoney = fields.values.unit === 'money';
  const unitOfLimit = isMoney ? (currency ?? '') : t({ id: 'billing.budget.unitTokens', defaultMessage: 'Tokens' });
  const field = (name: 'softLimit' | 'hardLimit') => ({
    name,
    dir: 'ltr' as const,
    inputMode: isMoney ? ('decimal' as const) : ('numeric' as const),
    ...fields.getInputProps(name),
  });
  return (
    <form className={form.form} noValidate onSubmit={submit}>
      {budget ? <Kind budget={budget} budgets={budgets} /> : <NewKind fields={fields} currency={currency} />}
      <div className={billing.pair}>
        <TextInput
          label={t({ id: 'billing.budget.warnAt', defaultMessage: 'Warn at' })}
          description={unitOfLimit}
          {...field('softLimit')}
        />
        <TextInput
          data-first={budget ? true : undefined}
          label={t({ id: 'billing.budget.stopAt', defaultMessage: 'Stop at' })}
          description={unitOfLimit}
          {...field('hardLimit')}
        />
      </div>
      <p className="p-sm p-quiet">
        {t({
          id: 'billing.budget.limitsAbout',
          defaultMessage:
            'When the limit is reached, no new answers start until the budget resets. You can leave one of the two empty.',
        })}
      </p>
      {budget ? null : <StartChoice fields={fields} />}
      {isRaised && wishes.length > 0 ? (
        <output className="p-sm">
          {t(
            {
              id: 'billing.budget.settles',
              defaultMessage:
                '{count, plural, one {The person who asked for more can ask again.} other {The # people who asked for more can ask again.}}',
            },
            { count: wishes.length },
          )}
        </output>
      ) : null}
      <FormFailureNote failure={failure}>
        {theirs ? <Theirs budget={theirs} budgets={budgets} /> : null}
      </FormFailureNote>
      <div className={form.ends}>
        <Button type="submit" loading={isBusy} {...off}>
          {budget
            ? t({ id: 'billing.budget.save', defaultMessage: 'Save budget' })
            : t({ id: 'billing.budget.set', defaultMessage: 'Set a budget' })}
        </Button>
        <Button variant="subtle" onClick={onClose}>
          {t({ id: 'billing.order.cancel', defaultMessage: 'Cancel' })}
        </Button>
      </div>
    </form>
  );
}

function Kind({ budget, budgets }: { budget: Budget; budgets: Budgets }) {
  const { t } = useText();
  const { amount, moment } = useBudgetWords(budgets);
  if (!isKnown(budget)) return null;
  return (
    <p className="p-sm p-quiet">
      {t(
        {
          id: 'billing.budget.sofar',
          defaultMessage: '{spent} spent and {held} held since {since}. Resets on {when}.',
        },
        {
          spent: amount(budget, budget.spent),
          held: amount(budget, budget.held),
          since: moment(budget.countsFrom ?? budget.periodStart),
          when: moment(budget.resetsAt),
        },
      )}
    </p>
  );
}

type Fields = ReturnType<typeof useSaveBudget>['fields'];

/** A budget that counts from now on does not agree with what the Overview says of the same month. */
function StartChoice({ fields }: { fields: Fields }) {
  const { t } = useText();
  return (
    <label className={classes.check}>
      <input type="checkbox" {...fields.getInputProps('startsWithSpent', { type: 'checkbox' })} />
      <span>
        {t(
          {
            id: 'billing.budget.startsWithSpent',
            defaultMessage:
              'Include what was spent {period, select, day {today} week {this week} other {this month}} so far',
          },
          { period: fields.values.period },
        )}
        <span className={`p-meta ${classes.checkAbout}`}>
          {t({
            id: 'billing.budget.startsWithSpentAbout',
            defaultMessage: 'Otherwise the budget counts from the moment you set it.',
          })}
        </span>
      </span>
    </label>
  );
}

function Theirs({ budget, budgets }: { budget: Budget; budgets: Budgets }) {
  const { t } = useText();
  const { amount } = useBudgetWords(budgets);
  const limit = (value: number | null) =>
    value === null ? t({ id: 'billing.budget.noLimit', defaultMessage: 'none' }) : amount(budget, value);
  return (
    <div>
      {t(
        {
          id: 'billing.budget.theirs',
          defaultMessage: 'Theirs: warn at {warn}, stop at {stop}. Saving again replaces it.',
        },
        { warn: limit(budget.softLimit), stop: limit(budget.hardLimit) },
      )}
    </div>
  );
}

function NewKind({ fields, currency }: { fields: Fields; currency: Budgets['currency'] }) {
  const { t } = useText();
  const periods: { value: BudgetDraft['period']; label: string }[] = [
    { value: 'day', label: t({ id: 'billing.budget.day', defaultMessage: 'Each day' }) },
    { value: 'week', label: t({ id: 'billing.budget.week', defaultMessage: 'Each week' }) },
    { value: 'month', label: t({ id: 'billing.budget.month', defaultMessage: 'Each month' }) },
  ];
  return (
    <>
      <ScopeChoice fields={fields} />
      <NativeSelect
        name="period"
        label={t({ id: 'billing.budget.period', defaultMessage: 'Resets' })}
        data={periods}
        {...fields.getInputProps('period')}
      />
      <NativeSelect
        name="unit"
        label={t({ id: 'billing.budget.unit', defaultMessage: 'Unit' })}
        description={
          currency === null ? (
            <>
              {t({
                id: 'billing.budget.moneyOff',
                defaultMessage: 'Money needs prices, and there are none yet. A platform admin sets them.',
              })}{' '}
              <SetPrices />
            </>
          ) : undefined
        }
        data={[
          {
            value: 'money',
            label: currency ?? t({ id: 'billing.budget.unitMoney', defaultMessage: 'Money' }),
            disabled: currency === null,
          },
          { value: 'tokens', label: t({ id: 'billing.budget.unitTokens', defaultMessage: 'Tokens' }) },
        ]}
        {...fields.getInputProps('unit')}
      />
    </>
  );
}
