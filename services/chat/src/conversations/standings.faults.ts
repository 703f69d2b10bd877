export const faults = [
  {
    breaks: 'A question follows a version that had no text',
    find: "own.findLast((answer) => answer.text !== '' || answer._id === runningId) ?? own.at(-1)",
    put: 'own.at(-1)',
  },
  { breaks: 'A question that was thrown away stands before the next one', find: 'if (isDiscarded) continue;', put: '' },
];
