export const faults = [
  {
    breaks: 'Of many who add at once, more get in than there is room for',
    file: './quotas.ts',
    find: 'await rows.change({ _id: counterId(scope, key) }, { $inc: { changes: 1 } })',
    put: 'await rows.findById(counterId(scope, key))',
  },
];
