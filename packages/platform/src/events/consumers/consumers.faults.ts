export const faults = [
  {
    breaks: 'The newest event of a parked key is retried first',
    file: './parked-key-retrier.ts',
    find: '{ key: 1, ordinal: 1 }',
    put: '{ key: 1, ordinal: -1 }',
  },
];
