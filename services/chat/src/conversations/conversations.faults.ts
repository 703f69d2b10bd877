export const faults = [
  {
    breaks: 'The list shows private chats of colleagues',
    file: './conversation-lists.ts',
    find: "{ ...visible, isDeleted: false, isArchived, ...(query.only === 'pinned' && { isPinned: true }) }",
    put: "{ isDeleted: false, isArchived, ...(query.only === 'pinned' && { isPinned: true }) }",
  },
  {
    breaks: 'A colleague deletes a private chat',
    file: './conversations.repository.ts',
    find: '{ _id: id, ...visible, isDeleted: false }',
    put: '{ _id: id, isDeleted: false }',
  },
];
