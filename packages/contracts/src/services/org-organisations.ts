import { z } from 'zod';
import { orgId, userId } from '../ids.ts';
import { permission, roleKey } from '../roles.ts';
import { revocationFeed } from './auth.ts';
import { plainName } from '../plain-text.ts';
import { defineEvent } from '../events/define-event.ts';
import { defineRoute } from '../http/define-route.ts';
import { pageOf, pageQuery, timestamp } from '../http/paging.ts';

export const organisationSlug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'lowercase letters, digits and hyphens');

export const organisation = z.strictObject({
  id: orgId,
  name: z.string(),
  slug: z.string(),
  /** My role in it, and its name where it is the organisation's own. */
  role: roleKey,
  roleName: z.string().nullable(),
  /** What I may do in it: the browser decides by them what it offers. */
  permissions: z.array(permission).readonly(),
  memberCount: z.number().int(),
  createdAt: timestamp,
  version: z.number().int(),
});
export type Organisation = z.infer<typeof organisation>;

const organisationName = plainName(80);

/** Creator = owner. The slug is made from the name unless given; a taken one given by the person is refused. */
export const createOrganisation = defineRoute({
  service: 'org',
  route: 'POST /api/org/organisations',
  scope: 'person',
  status: 201,
  body: z.strictObject({ id: orgId, name: organisationName, slug: organisationSlug.optional() }),
  response: organisation,
});

/** My organisations, in the order in which they were made. */
export const listOrganisations = defineRoute({
  service: 'org',
  route: 'GET /api/org/organisations',
  scope: 'person',
  query: pageQuery,
  response: pageOf(organisation),
});

export const renameOrganisation = defineRoute({
  service: 'org',
  route: 'PATCH /api/org/organisations/:orgId',
  scope: 'organisation',
  permission: 'org:update',
  params: z.strictObject({ orgId }),
  body: z.strictObject({ version: z.number().int(), name: organisationName }),
  response: organisation,
});

export const listOrgRevocations = defineRoute({
  ...revocationFeed,
  service: 'org',
  route: 'GET /internal/org/revocations',
});

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
export const organisationRoutes = { createOrganisation, listOrganisations, renameOrganisation, listOrgRevocations };
