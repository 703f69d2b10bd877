import type { RouteContract } from '@parley/protocol';
import * as auth from '../services/auth/auth.ts';
import * as billing from '../services/billing/billing.ts';
import * as chat from '../services/chat/chat.ts';
import * as monitoring from '../services/monitoring/monitoring.ts';
import * as org from '../services/org/org.ts';

type Exported = typeof auth & typeof org & typeof chat & typeof billing & typeof monitoring;
type RoutesOf<Parts> = { [Name in keyof Parts as Parts[Name] extends RouteContract ? Name : never]: Parts[Name] };
const isRoute = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && 'route' in part && 'scope' in part;

/**
 * Holds every route by name, as the files of the services export them. The proxy table and the tenant matrix (tests of
 * who can call which route) are made from it.
 */
export const allRoutes = Object.fromEntries(
  Object.entries({ ...auth, ...org, ...chat, ...billing, ...monitoring }).filter(([, part]) => isRoute(part)),
) as RoutesOf<Exported>;
export type RouteName = keyof typeof allRoutes;
export const routeEntries = Object.entries(allRoutes) as [RouteName, RouteContract][];

type ByKey = { [Name in RouteName as (typeof allRoutes)[Name]['route']]: (typeof allRoutes)[Name] };
/** Names a route that browsers can call, such as `GET /api/chat/documents`. */
export type ApiRoute = Extract<keyof ByKey, `${string} /api/${string}`>;
export type ContractOf<Route extends ApiRoute> = ByKey[Route];
