import { z } from 'zod';
import { roleId } from './ids.ts';
import { orgRoles, permissions, type Permission } from './permissions.ts';

export const orgRole = z.enum(orgRoles);
/** A built-in role by its name, one of the organisation's own by its id. */
export const roleKey = z.union([orgRole, roleId]);
export type RoleKey = z.infer<typeof roleKey>;
export const permission = z.enum(permissions);
const isPermission = (name: string): name is Permission => (permissions as readonly string[]).includes(name);
/** Permissions as another service sends them; leaves out those of a newer version, which allow nothing here. */
export const knownPermissions = z
  .array(z.string())
  .transform((names): readonly Permission[] => names.filter(isPermission));
export const platformRole = z.enum(['admin']);
export type PlatformRole = z.infer<typeof platformRole>;
