export const faults = [
  {
    breaks: 'A worker that has lost its import goes on writing',
    file: './imports.repository.ts',
    find: 'if (!held) throw new LostImport();',
    put: 'if (!held) return row;',
  },
];
