import { z } from 'zod';
import { roleId } from './ids.ts';
import { orgRoles, permissions, type Permission } from './permissions.ts';

export const orgRole = z.enum(orgRoles);
/** A built-in role by name, or one of the organisation by id. */
export const roleKey = z.union([orgRole, roleId]);
export type RoleKey = z.infer<typeof roleKey>;
export const permission = z.enum(permissions);
const isPermission = (name: string): name is Permission => (permissions as readonly string[]).includes(name);
/** Permissions from another service. Unknown ones of a newer version are left out: they allow nothing here. */
export const knownPermissions = z
  .array(z.string())
  .transform((names): readonly Permission[] => names.filter(isPermission));
export const platformRole = z.enum(['admin']);
export type PlatformRole = z.infer<typeof platformRole>;
