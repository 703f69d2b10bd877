import { securityLogRoutes } from '@parley/contracts';
import { rowsFor } from './rows.spec-setup.ts';

export const securityLogRows = rowsFor(securityLogRoutes, {
  // Everybody of the matrix has signed in.
  listSecurityLog: { request: () => ({}), lists: { ids: ({ owner }) => [owner.me?.email ?? ''], whose: 'owner' } },
});
