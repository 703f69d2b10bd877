export const faults = [
  {
    breaks: 'Two admins at once set two prices for the same period',
    file: './rates.repository.ts',
    find: 'await tables.update({ _id: tableId }, { $inc: { changes: 1 } });',
    put: '',
  },
];
