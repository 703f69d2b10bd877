import type { allRoutes, RouteName } from '@parley/contracts';
import { authRows } from './auth.rows.spec-setup.ts';
import { billingRows, monitoringRows } from './billing.rows.spec-setup.ts';
import { conversationRows } from './conversations.rows.spec-setup.ts';
import { documentRows } from './documents.rows.spec-setup.ts';
import { modelRows } from './models.rows.spec-setup.ts';
import { orgRows } from './org.rows.spec-setup.ts';
import type { Row } from './rows.spec-setup.ts';

/** Internal routes have no row: the door never forwards them. */
export type OutsideRoute = {
  [Name in RouteName]: (typeof allRoutes)[Name]['scope'] extends 'internal' ? never : Name;
}[RouteName];

/** One row for each route that a browser can reach; a feature that is missing here does not compile. */
export const rows: Record<OutsideRoute, Row> = {
  ...authRows,
  ...orgRows,
  ...conversationRows,
  ...modelRows,
  ...documentRows,
  ...billingRows,
  ...monitoringRows,
};
