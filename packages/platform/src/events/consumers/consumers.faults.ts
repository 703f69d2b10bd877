export const faults = [
  {
    breaks: 'A projection applies an event twice',
    file: './projection-consumer.ts',
    find: 'await this.aboveOffset(stretch, tx)',
    put: 'stretch.events',
  },
  {
    breaks: 'The newest event of a parked key is retried first',
    file: './parked-key-retrier.ts',
    find: '{ key: 1, ordinal: 1 }',
    put: '{ key: 1, ordinal: -1 }',
  },
];
