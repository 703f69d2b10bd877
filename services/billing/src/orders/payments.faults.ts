export const faults = [
  {
    breaks: 'A repeated payment counts twice',
    file: '../invoices/invoices.service.ts',
    find: 'if (row.payments.some((payment) => payment.id === id)) return toInvoice(row);',
    put: '',
  },
  {
    breaks: 'Two admins at once record the same payment',
    file: '../invoices/invoices.service.ts',
    find: '{ _id: row._id, version }',
    put: '{ _id: row._id }',
  },
];
