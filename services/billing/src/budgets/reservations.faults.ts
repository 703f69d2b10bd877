export const faults = [
  {
    breaks: 'A budget ignores what other answers reserve',
    file: './budget-sheet.ts',
    find: 'budget.spent + heldOf(budget, beside) + wanted',
    put: 'budget.spent + wanted',
  },
];
