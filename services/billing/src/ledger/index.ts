export { LedgerModule } from './ledger.module.ts';
