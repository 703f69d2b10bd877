import { z } from 'zod';
import { orgId, userId } from '../ids.ts';
import { orgRole } from '../roles.ts';
import { defineEvent, topics } from './define-event.ts';

/** Key: organisation id. */
export const organisationCreated = defineEvent('org.created.v1', topics.org, z.object({ orgId, createdBy: userId }));
/** Key: organisation id. */
export const organisationUpdated = defineEvent('org.updated.v1', topics.org, z.object({ orgId, version: z.number().int() }));
/** Key: organisation id. */
export const membershipAdded = defineEvent('membership.added.v1', topics.org, z.object({ orgId, userId, role: orgRole, rightsVersion: z.number().int() }));

export const orgEvents = { organisationCreated, organisationUpdated, membershipAdded };
