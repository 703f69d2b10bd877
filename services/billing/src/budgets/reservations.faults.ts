export const faults = [
  {
    breaks: 'A budget ignores what other answers hold',
    file: './budget-sheet.ts',
    find: 'budget.spent + heldOf(budget, beside) + wanted',
    put: 'budget.spent + wanted',
  },
];
