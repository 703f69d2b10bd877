export const faults = [
  {
    breaks: 'The next question is asked although the answer before it failed',
    file: '../generations/writing/finish-answer.ts',
    find: "end.status === 'failed' || end.status === 'interrupted'",
    put: 'false',
  },
  {
    breaks: 'What waits is asked for somebody who may not ask any more',
    file: './queue-starter.ts',
    find: '!rights',
    put: 'false',
  },
];
