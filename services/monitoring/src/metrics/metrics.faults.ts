export const faults = [
  {
    breaks: 'Metrics are counted outside the transaction',
    file: './metrics.repository.ts',
    find: 'this.rows[step].within(counting, tx)',
    put: 'this.rows[step].within(counting)',
  },
];
