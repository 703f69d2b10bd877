export const faults = [
  {
    breaks: 'A branch has another title than its chat',
    file: './answers/branching/branching.service.ts',
    find: '...copyOf(source)',
    put: "title: ''",
  },
  {
    breaks: 'An export says that no chat is archived',
    file: './workspace/exports/chat-reader.ts',
    within: 'headOf',
    find: 'ownFieldsOf(conversation)',
    put: '{ ...ownFieldsOf(conversation), isArchived: false }',
  },
  {
    breaks: 'An imported chat is no longer pinned',
    file: './workspace/imports/new-chats.ts',
    find: 'isPinned: chat.isPinned',
    put: 'isPinned: false',
  },
];
