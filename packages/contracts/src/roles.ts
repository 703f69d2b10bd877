import { z } from 'zod';
import { orgRoles, permissions } from './permissions.ts';

export const orgRole = z.enum(orgRoles);
export const permission = z.enum(permissions);
export const platformRole = z.enum(['admin']);
export type PlatformRole = z.infer<typeof platformRole>;
