export const faults = [
  {
    breaks: 'Passages are embedded although the budget is spent',
    file: './embedding-calls.ts',
    find: "await this.hold(scope, { id, purpose: 'passages', asker, model }, { texts, withinMs: budgetMs });",
    put: '',
  },
  { breaks: 'A request that a dead worker sent is recorded twice', find: 'await run.hold(tx);', put: '' },
];
