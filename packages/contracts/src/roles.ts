import { z } from 'zod';
import { roleId } from './ids.ts';
import { orgRoles, permissions } from './permissions.ts';

export const orgRole = z.enum(orgRoles);
/** A built-in role by its name, one of the organisation's own by its id. */
export const roleKey = z.union([orgRole, roleId]);
export type RoleKey = z.infer<typeof roleKey>;
export const permission = z.enum(permissions);
export const platformRole = z.enum(['admin']);
export type PlatformRole = z.infer<typeof platformRole>;
