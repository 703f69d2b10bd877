import { listLedgerEntries } from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { LedgerConsumer } from './ledger.consumer.ts';
import { LedgerService } from './ledger.service.ts';

export const ledgerFeature = feature({
  routes: { list: listLedgerEntries },
  handlers: LedgerService,
  consumers: [LedgerConsumer],
});
