export const faults = [
  {
    breaks: 'Two readers read the same document',
    find: '{ _id, status, version, isDeleted: false }',
    put: '{ _id, isDeleted: false }',
  },
];
