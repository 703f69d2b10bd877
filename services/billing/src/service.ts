import { startOwner, type OwnerParts, type Platform, type RunningService } from '@parley/platform/service';
import { ledgerFeature } from './ledger/index.ts';

/** The usage ledger. */
export const billingParts: OwnerParts = { modules: [ledgerFeature], providers: () => [], group: 'billing' };

/** Starts billing. */
export async function startBilling(platform: Platform): Promise<RunningService> {
  return startOwner(platform, billingParts);
}
