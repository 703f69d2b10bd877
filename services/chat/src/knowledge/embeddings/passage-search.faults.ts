export const faults = [
  {
    breaks: 'The search by meaning returns a hidden passage',
    file: '../retrieval/passage-vectors.ts',
    find: '{ _id: { $in: ids }, ...inConnections(scope.orgId, within), isHidden: false }',
    put: '{ _id: { $in: ids }, ...inConnections(scope.orgId, within) }',
  },
  {
    breaks: 'A question is embedded although the budget is spent',
    file: './meaning-search.ts',
    find: 'await this.calls.hold(scope, call, { texts, withinMs: this.settings.questionVectorMs });',
    put: '',
  },
];
