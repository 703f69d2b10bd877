export const faults = [
  {
    breaks: 'Every member sees the budget of the whole organisation',
    file: './my-budgets.service.ts',
    within: 'viewOfAll',
    find: 'withoutAmounts',
    put: '(budget: Budget) => budget',
  },
];
