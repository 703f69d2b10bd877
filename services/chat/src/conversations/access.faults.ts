export const faults = [
  {
    breaks: 'The permission alone opens private chats of colleagues',
    find: "allows(holderOf(viewer), 'chat:read', conversation)",
    put: "allows(holderOf(viewer), 'chat:read')",
  },
  {
    breaks: "Titles of colleagues' private chats are returned",
    file: './conversations.repository.ts',
    find: '{ _id: { $in: ids }, ...visible, isDeleted: false }',
    put: '{ _id: { $in: ids }, isDeleted: false }',
  },
  {
    breaks: 'A colleague renames a private chat',
    file: './conversations.repository.ts',
    find: '{ _id: id, ...visible, version, isDeleted: false }',
    put: '{ _id: id, version, isDeleted: false }',
  },
];
