export const faults = [
  {
    breaks: 'Anyone in the organisation rates an answer in a private chat',
    file: './own-feedback.service.ts',
    find: 'await this.access.read(viewer, conversationId);',
    put: '',
  },
];
