export * from '../event-health.ts';
export * from '../job-health.ts';
export * from './error-tests.ts';
export * from './errors.ts';
export * from './metrics.ts';
export * from './now.ts';
export * from './people.ts';
export * from './presence.ts';
export * from './stream.ts';
export * from './webhooks.ts';
export * from './service-health.ts';
import { defineRoute, orgId, pageOf, pageQuery, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { approval } from '../org/organisations.ts';
import { organisationStatus } from '../org/platform.ts';

/** An organisation in the list of platform admins: a copy that is seconds old at most. */
export const organisationOverview = z.strictObject({
  id: orgId,
  name: z.string(),
  slug: z.string(),
  status: organisationStatus,
  approval,
  memberCount: z.number().int(),
  seatLimit: z.number().int().nullable(),
  createdAt: timestamp,
  /** When someone last asked for an answer; if nobody has, when the organisation was created. */
  lastActivityAt: timestamp,
});
export type OrganisationOverview = z.infer<typeof organisationOverview>;

/**
 * Lists all organisations by name, or by most members, latest activity or newest. `text` matches the beginning of any
 * word.
 */
export const listAllOrganisations = defineRoute({
  service: 'monitoring',
  route: 'GET /api/monitoring/all-organisations',
  scope: 'platform',
  cost: 'report',
  query: pageQuery.extend({
    text: z.string().trim().min(1).max(100).optional(),
    status: organisationStatus.optional(),
    approval: approval.optional(),
    sort: z.enum(['members', 'activity', 'created']).optional(),
  }),
  response: pageOf(organisationOverview),
});

/** 404 `org.organisation-not-found`. */
export const getOrganisationOverview = defineRoute({
  service: 'monitoring',
  route: 'GET /api/monitoring/all-organisations/:orgId',
  scope: 'platform',
  cost: 'report',
  params: z.strictObject({ orgId }),
  response: organisationOverview,
});

export const monitoringRoutes = { listAllOrganisations, getOrganisationOverview };
