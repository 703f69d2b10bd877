export const faults = [
  {
    breaks: 'A chat that was deleted here comes back with the next import',
    file: './import-export.ts',
    find: "state.kind === 'deleted' && !row.isAgain",
    put: 'false',
  },
  {
    breaks: 'An imported branch moves its person to another place',
    file: './grown-chats.ts',
    find: 'if (batches.length > 0) await this.additions.keepPlace(scope, state.conversation);',
    put: '',
  },
  {
    breaks: 'Importing again doubles messages',
    file: './imported-chats.ts',
    find: "!known.has(hashOf(messageId).toString('latin1'))",
    put: 'true',
  },
];
