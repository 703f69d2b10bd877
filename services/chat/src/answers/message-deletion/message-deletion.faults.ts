export const faults = [
  {
    breaks: 'Deleting one branch stops the answer of another',
    file: '../generations/asking/stop-generation.ts',
    find: '(!root || (answer && isOnPath(root, answer)))',
    put: 'true',
  },
];
