export const faults = [
  {
    breaks: 'Consumers that change the same rows fail each other',
    file: './consumer-runtime.ts',
    find: 'oneByOne()',
    put: '(take) => take()',
  },
];
