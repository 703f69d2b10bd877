export const faults = [
  {
    breaks: 'What waits is asked for somebody who may not ask any more',
    file: './queue-starter.ts',
    find: '!rights',
    put: 'false',
  },
];
