export const faults = [
  {
    breaks: 'A new budget misses entries recorded while it counts what was spent',
    file: './entries/spent-before.ts',
    find: '$set: { countedAt: now }',
    put: '$inc: { attempts: 0 }',
  },
];
