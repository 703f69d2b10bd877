export const faults = [
  {
    breaks: 'A stalled process continues a migration that another one took over',
    file: './data-migrations.ts',
    find: 'if (kept.matchedCount === 0) throw new MigrationTakenOver(name);',
    put: '',
  },
];
