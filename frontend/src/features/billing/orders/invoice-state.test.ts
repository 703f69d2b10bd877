import { expect, it } from '@jest/globals';
import type { Invoice } from '@parley/contracts';
import { invoiceStateOf } from './invoice-state.ts';

it.each([
  [0, '2026-12-21', 'open'],
  [0, '2026-12-22', 'overdue'],
  [1, '2026-12-21', 'part'],
  [99, '2026-12-22', 'overdue'],
  [100, '2027-12-22', 'paid'],
  [101, '2027-12-22', 'credit'],
])('%i of 100 paid, due on 21 December: on %s %s', (paidMinor, today, expected) => {
  const invoice = { paidMinor, totalMinor: 100, dueOn: '2026-12-21' } as Invoice;
  expect(invoiceStateOf(invoice, today)).toBe(expected);
});
