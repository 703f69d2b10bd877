export const faults = [
  {
    breaks: 'The question that came last is asked first',
    file: './queue.repository.ts',
    within: 'first',
    find: '{ sort: { number: 1 } }',
    put: '{ sort: { number: -1 } }',
  },
  {
    breaks: 'A colleague withdraws what waits in a private chat',
    file: './queue.service.ts',
    within: 'withdraw',
    find: 'await this.access.read(input, conversationId);',
    put: '',
  },
];
