import { quotaCounters, renames } from '@parley/platform/schema';

/** Gives what 0.3.0 called stocks and holds the names of quotas and reservations. */
export const billingRenames = renames('quotas-and-reservations', [
  quotaCounters,
  { collection: 'budget_sheets', fields: { holds: 'reservations' } },
  {
    collection: 'reservations',
    fields: { holdId: 'reservationId' },
    values: { kind: { held: 'reserved' } },
    indexes: ['orgId_1_holdId_1'],
  },
]);
