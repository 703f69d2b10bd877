export const faults = [
  {
    breaks: 'A unique key that another transaction committed is stored twice',
    file: './storage/transaction.ts',
    find: 'throw isSeen ? duplicateKey(collection, index, document) : writeConflict();',
    put: 'if (isSeen) throw duplicateKey(collection, index, document);',
  },
];
