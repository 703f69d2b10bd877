export const faults = [
  {
    breaks: 'Anyone in the organisation rates an answer in a private chat',
    file: './own-feedback.service.ts',
    find: 'const conversation = await this.access.read(viewer, conversationId);',
    put: 'const conversation = { _id: conversationId } as never;',
  },
];
