export const faults = [
  {
    breaks: "People open a document whose passages they can't read",
    file: './opened-documents.service.ts',
    find: '!row || !readable.includes(connectionOf(row))',
    put: '!row',
  },
];
