import { z } from 'zod';
import { orgRoles } from './permissions.ts';

export const orgRole = z.enum(orgRoles);
export const platformRole = z.enum(['admin']);
export type PlatformRole = z.infer<typeof platformRole>;
