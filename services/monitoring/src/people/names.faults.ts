export const faults = [
  {
    breaks: 'A revealed name is shown to everyone with the permission',
    file: './shown-names.ts',
    find: '{ by: userId }',
    put: '{}',
  },
];
