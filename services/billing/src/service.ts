import { startOwner, type Platform, type RunningService } from '@parley/platform/service';
import { LedgerModule } from './ledger/index.ts';

/** Starts billing: the usage ledger. */
export async function startBilling(platform: Platform): Promise<RunningService> {
  return startOwner({ platform, modules: [LedgerModule], providers: () => [], group: 'billing' });
}
