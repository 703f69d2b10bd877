export const faults = [
  {
    breaks: 'A file that a question has is erased',
    find: '(await this.references.has(scope, row._id, tx))',
    put: 'false',
  },
  {
    breaks: 'A file is found while it is being erased',
    file: './files.repository.ts',
    find: '{ _id: { $in: ids }, userId, isErasing: false }',
    put: '{ _id: { $in: ids }, userId }',
  },
];
