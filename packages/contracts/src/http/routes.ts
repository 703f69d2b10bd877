import { authRoutes } from './auth.ts';
import { billingRoutes } from './billing.ts';
import { chatRoutes } from './chat.ts';
import type { RouteContract } from './define-route.ts';
import { monitoringRoutes } from './monitoring.ts';
import { orgRoutes } from './org.ts';

/** Every route there is, by name: the proxy table and the tenant matrix are generated from it. */
export const allRoutes = { ...authRoutes, ...orgRoutes, ...chatRoutes, ...billingRoutes, ...monitoringRoutes };
export type RouteName = keyof typeof allRoutes;
export const routeEntries = Object.entries(allRoutes) as unknown as [RouteName, RouteContract][];
