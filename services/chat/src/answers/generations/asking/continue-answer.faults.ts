export const faults = [
  {
    breaks: 'The text that a dead worker continued is billed again',
    file: '../writing/remains.ts',
    find: 'ownTextOf({ ...lost, ...own })',
    put: 'own.text',
  },
];
