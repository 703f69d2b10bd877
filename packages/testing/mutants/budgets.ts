import type { Mutant } from './mutant.ts';

const src = 'services/billing/src/budgets';
const rules = 'billing/src/budgets/budget-sheet.spec';
const tab = 'features/billing/budgets-tab.test';
const held = 'billing/src/budgets/reservations.spec';

/** What may be used, and what is held for it. */
export const budgetMutants: readonly Mutant[] = [
  {
    breaks: 'an answer that is made shorter for its budget passes the hard limit',
    file: `${src}/budget-sheet.ts`,
    find: 'if (fits(middle)) fitting = middle;',
    put: 'if (fits(middle - 1)) fitting = middle;',
    spec: rules,
  },
  {
    breaks: 'every member is sent what the whole organisation may spend',
    file: `${src}/my-budgets.service.ts`,
    find: 'await this.budgets.viewFor(principal, others) : withoutAmounts;',
    put: 'await this.budgets.viewFor(principal, others) : (budget: Budget) => budget;',
    spec: 'billing/src/budgets/my-budgets.spec',
  },
  {
    breaks: 'the composer shows the budget of which the smallest share is left, not the one that stops first',
    file: `${src}/my-budget.ts`,
    find: 'if (!isMixed) return leftOf(budget);',
    put: 'if (!isMixed) return leftOf(budget) / budget.hardLimit;',
    spec: 'billing/src/budgets/my-budgets.spec',
  },
  {
    breaks: 'a budget that begins with what was spent misses what is written down beside it',
    file: 'services/billing/src/entries/spent-before.ts',
    find: '{ $set: { countedAt: now } }',
    put: '{ $inc: { attempts: 0 } }',
    spec: 'billing/src/starts-with-spent.spec',
  },
  {
    breaks: 'an answer that a budget refused counts as a failure of the provider',
    file: 'services/monitoring/src/metrics/count-attempts.ts',
    find: '!data.isRefused',
    put: 'data.attempt !== 0',
    spec: 'monitoring/src/metrics/metrics.spec',
  },
  {
    breaks: 'what another person has used of their budget is shown to whoever may not see names',
    file: `${src}/budgets.service.ts`,
    find: "scope.kind === 'person' ? scope.id === userId :",
    put: "scope.kind === 'person' ? scope.id !== userId :",
    spec: 'embedded/src/pseudonyms.spec',
  },
  {
    breaks: 'the ledger names people to whoever may not see names',
    file: 'services/billing/src/ledger/ledger-list.service.ts',
    find: 'userId: null, name: null',
    put: 'name: null',
    spec: 'embedded/src/pseudonyms.spec',
  },
  {
    breaks: 'what others hold of the budget is not looked at',
    file: `${src}/budget-sheet.ts`,
    find: 'budget.spent + heldOf(budget, holds) + wanted >',
    put: 'budget.spent + wanted >',
    spec: held,
  },
  {
    breaks: 'a hard limit of the budget cannot be used to its end',
    file: `${src}/budget-sheet.ts`,
    find: 'wanted > (budget.hardLimit ?? 0)',
    put: 'wanted >= (budget.hardLimit ?? 0)',
    spec: rules,
  },
  {
    breaks: 'a budget that is held again is held twice',
    file: `${src}/budget-sheet.ts`,
    find: 'if (known) return {',
    put: 'if (known && known.tokens < 0) return {',
    spec: rules,
  },
  {
    breaks: 'two processes give the same budget away',
    file: `${src}/budget-sheets.repository.ts`,
    find: "if (!isKept) throw new Problem('platform.conflict');",
    put: '',
    spec: held,
    survives:
      'the transaction of the second one meets the first at the document itself; this is for a store that lets both through',
  },
  {
    breaks: 'a dead worker holds its budget for good',
    file: `${src}/budget-sheet.ts`,
    find: 'leaseUntil <= now)',
    put: 'leaseUntil < new Date(0))',
    spec: held,
  },
  {
    breaks: 'a billing that was away frees the budget of answers that are being written',
    file: `${src}/reservations.service.ts`,
    find: '>= renewalMs;',
    put: '>= 0;',
    spec: held,
  },
  {
    breaks: 'a clock that is behind begins the period of a budget again',
    file: `${src}/budget-sheet.ts`,
    find: 'budget.countsFrom.getTime() - dayMs;',
    put: 'budget.countsFrom.getTime();',
    spec: rules,
  },
  {
    breaks: 'what is held for an attempt stays held in the budget when it is settled',
    file: `${src}/budget-sheet.ts`,
    find: 'const holds = sheet.holds.filter((one) => one.id !== id);',
    put: 'const { holds } = sheet;',
    spec: rules,
  },
  {
    breaks: 'a limit of a budget is told with every answer',
    file: `${src}/budget-sheets.repository.ts`,
    find: '.filter((threshold) => !knownTold.includes(threshold))',
    put: '',
    spec: held,
  },
  {
    breaks: 'an answer under a budget with a hard limit asks its model before anything is held',
    file: 'services/chat/src/generations/answer-attempt.ts',
    find: 'isBounded ? await this.budget.take(wanted) : wanted;',
    put: 'wanted;',
    spec: 'chat/src/generations/bounded-attempt.spec',
  },
  {
    breaks: 'whoever may not see members reads whose the budgets of persons are',
    file: 'services/billing/src/organisation/organisation-calls.ts',
    find: "!organisation?.permissions.includes('member:read') || among",
    put: '!organisation || among',
    spec: 'billing/src/budgets/budgets.spec',
  },
  {
    breaks: 'saving a budget again after a conflict is refused for ever',
    file: 'frontend/src/features/billing/use-save-budget.ts',
    find: 'version: (theirs ?? seen).version',
    put: 'version: seen.version',
    spec: tab,
  },
  {
    breaks: 'a budget of which all is held is not shown as stopped',
    file: 'frontend/src/features/billing/use-budgets.ts',
    find: 'budget.hardLimit - budget.spent - budget.held',
    put: 'budget.hardLimit - budget.spent',
    spec: tab,
  },
];
