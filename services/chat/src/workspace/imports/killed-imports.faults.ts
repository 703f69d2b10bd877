export const faults = [
  {
    breaks: 'A worker that has lost its import goes on writing',
    file: './import-fence.ts',
    find: 'if (!held) throw new LostImport();',
    put: 'if (!held) return row;',
  },
  {
    breaks: 'A chat of a killed import is written once more from the beginning',
    file: './stored-chats.ts',
    find: 'return this.imported.keepCopying(scope, which, tx);',
    put: 'return Promise.resolve(which && null);',
  },
];
