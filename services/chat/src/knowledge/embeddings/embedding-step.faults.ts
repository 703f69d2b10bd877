export const faults = [
  {
    breaks: 'Passages are embedded although the budget is spent',
    file: './embedding-calls.ts',
    find: "await this.hold(scope, { id, purpose: 'passages', asker, model }, { texts, withinMs: budgetMs });",
    put: '',
  },
];
