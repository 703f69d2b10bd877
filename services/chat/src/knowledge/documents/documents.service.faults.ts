export const faults = [
  {
    breaks: 'Passages are hidden outside the transaction of their document',
    find: 'this.retrieval.setHidden(scope, id, isDeleted, tx)',
    put: 'this.retrieval.setHidden(scope, id, isDeleted)',
  },
];
