import type { RouteSpec } from '@parley/protocol';
import { keyPermissions } from '../permissions.ts';

/**
 * Whether an API key can open the route at all: those of its organisation, by a right that keys can have. What is the
 * person's own (password, sessions, profile, joining and leaving), the installation's, keys themselves, and what a route
 * keeps to people are closed.
 */
export const isOpenToKeys = (route: RouteSpec): boolean =>
  route.scope === 'organisation' && keyPermissions.includes(route.permission) && route.people !== 'only';
