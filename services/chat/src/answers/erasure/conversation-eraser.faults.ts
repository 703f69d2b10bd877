export const faults = [
  {
    breaks: 'A chat is erased while its answer is being written',
    file: './conversation-eraser.ts',
    find: 'if (chat.running) return goOn(new Date(now.getTime() + againMs));',
    put: '',
  },
  {
    breaks: 'A colleague erases a deleted private chat',
    file: '../../conversations/conversations.repository.ts',
    within: 'beginErasing',
    find: '{ _id: id, ...visible, ...restorable }',
    put: '{ _id: id, ...restorable }',
  },
];
