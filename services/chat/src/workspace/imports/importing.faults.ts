export const faults = [
  {
    breaks: 'Importing again doubles messages',
    file: './imported-chats.ts',
    find: "!known.has(hashOf(messageId).toString('latin1'))",
    put: 'true',
  },
];
