export const faults = [
  {
    breaks: 'A document is restored while it is being erased',
    file: './rows/documents.repository.ts',
    find: '{ _id: id, isDeleted: !isDeleted, ...notErasing }',
    put: '{ _id: id, isDeleted: !isDeleted }',
  },
];
