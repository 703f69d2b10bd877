export const faults = [
  {
    breaks: 'Passages are embedded although the budget is spent',
    find: 'await this.calls.hold(scope, call, { texts, withinMs: budgetMs });',
    put: '',
  },
  {
    breaks: 'A request that a dead worker sent is recorded twice',
    find: 'if (!(await this.embeddings.release(scope, row, set, tx))) return;',
    put: 'await this.embeddings.release(scope, row, set, tx);',
  },
];
