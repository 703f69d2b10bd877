export const faults = [
  {
    breaks: 'A colleague asks in a private chat',
    file: '../../../conversations/conversations.repository.ts',
    find: '{ _id: id, ...visible, running: null, isDeleted: false }',
    put: '{ _id: id, running: null, isDeleted: false }',
  },
  {
    breaks: 'Two answers run in one chat at once',
    file: '../../../conversations/conversations.repository.ts',
    find: '{ _id: id, ...visible, running: null, isDeleted: false }',
    put: '{ _id: id, ...visible, isDeleted: false }',
  },
  {
    breaks: 'A repeated question returns what someone else asked',
    file: './ask-in-chat.ts',
    find: 'this.access.find(viewer, conversationId)',
    put: "this.access['conversations'].find(scope, conversationId)",
  },
  {
    breaks: 'Anyone in the organisation stops an answer',
    file: './stop-generation.ts',
    find: 'await this.access.read(viewer, conversationId);',
    put: '',
  },
];
