export const faults = [
  {
    breaks: 'A message that was deleted is answered to',
    file: '../../conversations/message-places.ts',
    find: '!conversation.deletions',
    put: 'true',
  },
  {
    breaks: 'Deleting one branch stops the answer of another',
    file: '../generations/asking/stop-generation.ts',
    find: '(!root || (answer && isOnPath(root, answer)))',
    put: 'true',
  },
];
