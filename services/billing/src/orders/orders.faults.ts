export const faults = [
  {
    breaks: 'An order is placed at the price that the browser names',
    file: './order.ts',
    find: 'terms.seatMinor !== seatMinor || terms.currency !== currency',
    put: 'terms.currency !== currency',
  },
  {
    breaks: 'A withdrawn order is confirmed',
    file: './fulfilment.ts',
    find: "{ _id: order._id, state: 'placed', version: order.version }",
    put: '{ _id: order._id, version: order.version }',
  },
  {
    breaks: 'The invoice number is taken outside the transaction of the invoice',
    file: '../invoices/invoices.repository.ts',
    find: 'this.counters.within(numbering, tx)',
    put: 'this.counters.within(numbering)',
  },
];
