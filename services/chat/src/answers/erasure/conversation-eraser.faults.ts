export const faults = [
  {
    breaks: 'A chat is erased while its answer is being written',
    file: '../../conversations/conversations.repository.ts',
    find: "{ isDeleted: true, erasure: 'begun', running: null }",
    put: "{ isDeleted: true, erasure: 'begun' }",
  },
  {
    breaks: 'A colleague erases a deleted private chat',
    file: '../../conversations/conversations.repository.ts',
    within: 'beginErasing',
    find: '{ _id: id, ...visible, ...restorable }',
    put: '{ _id: id, ...restorable }',
  },
];
