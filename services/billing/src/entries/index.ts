/** What was used, entry by entry and by day: the ledger writes it, budgets begin with it. */
export { ledgerEntryRows, type LedgerEntryRow } from './ledger-entry.collection.ts';
export { SpentBefore } from './spent-before.ts';
export { spendDayRows, type SpendDayRow } from './spend-day.collection.ts';
