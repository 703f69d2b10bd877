import { billingRoutes, monitoringRoutes } from '@parley/contracts';
import { plain, rowsFor } from './rows.spec-setup.ts';

export const billingRows = rowsFor(billingRoutes, {
  listLedgerEntries: {
    request: () => ({ query: { limit: '100' } }),
    lists: { ids: ({ messages }) => [messages[1]?.generation?.id ?? ''], whose: 'organisation' },
  },
});
export const monitoringRows = rowsFor(monitoringRoutes, { getGenerationCounts: plain });
