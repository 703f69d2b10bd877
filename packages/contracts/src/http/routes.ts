import { authRoutes } from './auth.ts';
import { billingRoutes } from './billing.ts';
import { chatRoutes } from './chat.ts';
import type { RouteContract } from './define-route.ts';
import { monitoringRoutes } from './monitoring.ts';
import { orgRoutes } from './org.ts';

/** Every route there is, by name: the proxy table and the tenant matrix are made from it. */
export const allRoutes = { ...authRoutes, ...orgRoutes, ...chatRoutes, ...billingRoutes, ...monitoringRoutes };
export type RouteName = keyof typeof allRoutes;
export const routeEntries = Object.entries(allRoutes) as [RouteName, RouteContract][];

type ByKey = { [Name in RouteName as (typeof allRoutes)[Name]['route']]: (typeof allRoutes)[Name] };
/** `GET /api/chat/documents`: what a browser may call, and the contract behind it. */
export type ApiRoute = Extract<keyof ByKey, `${string} /api/${string}`>;
export type ContractOf<Route extends ApiRoute> = ByKey[Route];
