export const faults = [
  {
    breaks: 'A message that was deleted is answered to',
    file: './message-places.ts',
    find: '!conversation.deletions',
    put: 'true',
  },
  {
    breaks: 'Deleting one branch stops the answer of another',
    file: '../answers/generations/asking/stop-generation.ts',
    find: '(!root || (answer && isOnPath(root, answer)))',
    put: 'true',
  },
];
