export const faults = [
  {
    breaks: 'A budget of another organisation with the same id removes a hard limit',
    file: './hard-limit.collection.ts',
    find: '`${organisation}/${budget}`',
    put: '`/${budget}`',
  },
];
