import { z } from 'zod';
import { orgId, userId } from '../ids.ts';
import { orgRole } from '../roles.ts';
import { defineEvent } from './define-event.ts';

/** Its creator hears of the membership that comes with it. */
export const organisationCreated = defineEvent('org.created.v1', 'org', {
  data: z.object({ orgId, createdBy: userId }),
  key: 'orgId',
  identity: [],
  live: null,
});
export const organisationUpdated = defineEvent('org.updated.v1', 'org', {
  data: z.object({ orgId, version: z.number().int() }),
  key: 'orgId',
  live: { room: 'organisation', resources: ['organisations'] },
});
export const membershipAdded = defineEvent('membership.added.v1', 'org', {
  data: z.object({ orgId, userId, role: orgRole, rightsVersion: z.number().int() }),
  key: 'orgId',
  identity: ['userId', 'rightsVersion'],
  live: { room: 'person', resources: ['organisations'] },
});

export const orgEvents = { organisationCreated, organisationUpdated, membershipAdded };
