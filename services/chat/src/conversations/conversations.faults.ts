export const faults = [
  {
    breaks: 'The list shows private chats of colleagues',
    file: './conversation-lists.ts',
    find: "{ ...visible, isDeleted: false, ...(query.import ? { 'imported.importId': query.import } : { isArchived }), ...(query.only === 'pinned' && { isPinned: true }), ...(query.project && { projectId: query.project === 'none' ? null : query.project }) }",
    put: "{ isDeleted: false, ...(query.import ? { 'imported.importId': query.import } : { isArchived }), ...(query.only === 'pinned' && { isPinned: true }), ...(query.project && { projectId: query.project === 'none' ? null : query.project }) }",
  },
  {
    breaks: 'A colleague deletes a private chat',
    file: './conversations.repository.ts',
    find: '{ _id: id, ...visible, isDeleted: false }',
    put: '{ _id: id, isDeleted: false }',
  },
];
