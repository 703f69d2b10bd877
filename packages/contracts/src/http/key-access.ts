import type { RouteSpec } from '@parley/protocol';
import { keyPermissions } from '../permissions.ts';

/**
 * Returns whether API keys can open the route: routes of an organisation with a permission that keys can have. Closed
 * are the person's own things (password, sessions, profile, joining and leaving), the installation, keys themselves,
 * and routes that are for people only.
 */
export const isOpenToKeys = (route: RouteSpec): boolean =>
  route.scope === 'organisation' && keyPermissions.includes(route.permission) && route.people !== 'only';
