import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { locale, timeZone } from '../../people.ts';
import { permission, roleKey } from '../../roles.ts';
import { revocationFeed } from '../auth/auth.ts';
import { plainName } from '../../plain-text.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';

export const organisationSlug = z
  .string()
  .regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/, 'lowercase letters, digits and hyphens');

/** Why an organisation is suspended, and which platform admin can be asked. */
export const suspension = z.strictObject({ reason: z.string(), by: z.string(), at: timestamp });
export type Suspension = z.infer<typeof suspension>;

/**
 * `approved`: the organisation has a flow (share of capacity) of its own. `requested`: its admins asked for approval.
 */
export const approval = z.enum(['approved', 'requested', 'none']);
export type Approval = z.infer<typeof approval>;

/**
 * Names the flow (share of capacity) that all unapproved organisations have in common (ADR 0053). Waiting work of
 * different flows takes fair turns.
 */
export const unapprovedFlow = 'unapproved';

export const organisation = z.strictObject({
  id: orgId,
  name: z.string(),
  slug: z.string(),
  /** The person's role in the organisation, with a name if the role is the organisation's own. */
  role: roleKey,
  roleName: z.string().nullable(),
  /** The person's permissions in the organisation. The browser offers only what they allow. */
  permissions: z.array(permission).readonly(),
  memberCount: z.number().int(),
  /** The language of invitations and emails to people without an account. */
  locale,
  /** The time zone of the organisation's days and months. */
  timeZone: z.string(),
  /** Null unless the organisation is suspended. */
  suspension: suspension.nullable(),
  approval,
  createdAt: timestamp,
  version: z.number().int(),
});
export type Organisation = z.infer<typeof organisation>;

export const organisationName = plainName(80);

/**
 * Creates an organisation; the creator is its owner. The slug is made from the name unless given; a given slug that is
 * taken is refused.
 */
export const createOrganisation = defineRoute({
  service: 'org',
  route: 'POST /api/org/organisations',
  scope: 'person',
  cost: 'write',
  status: 201,
  body: z.strictObject({
    id: orgId,
    name: organisationName,
    slug: organisationSlug.optional(),
    locale: locale.default('en'),
    timeZone: timeZone.default('UTC'),
  }),
  response: organisation,
});

/** Lists the person's organisations in the order of their creation. */
export const listOrganisations = defineRoute({
  service: 'org',
  route: 'GET /api/org/organisations',
  scope: 'person',
  cost: 'read',
  query: pageQuery,
  response: pageOf(organisation),
});

/** Changes an organisation. 409 `platform.conflict` with the present state if the version is old. */
export const updateOrganisation = defineRoute({
  service: 'org',
  route: 'PATCH /api/org/organisations/:orgId',
  scope: 'organisation',
  permission: 'org:update',
  cost: 'write',
  params: z.strictObject({ orgId }),
  body: z.strictObject({
    version: z.number().int(),
    name: organisationName.optional(),
    locale: locale.optional(),
    timeZone: timeZone.optional(),
  }),
  response: organisation,
});

/** Asks the platform admins to approve the organisation. Idempotent, also for an approved one. */
export const requestApproval = defineRoute({
  service: 'org',
  route: 'POST /api/org/approval-request',
  scope: 'organisation',
  permission: 'org:update',
  cost: 'write',
  response: organisation,
});

export const listOrgRevocations = defineRoute({
  ...revocationFeed,
  service: 'org',
  route: 'GET /internal/org/revocations',
});

/** An organisation was created. The membership created with it has its own event, which notifies the creator. */
export const organisationCreated = defineEvent('org.created.v1', 'org', {
  data: z.object({
    orgId,
    createdBy: userId,
    /** For the audit log: the seats of an organisation that a platform admin created. Missing otherwise. */
    provisioned: z.object({ seatLimit: z.number().int().nullable() }).optional(),
    /**
     * True if a person created the organisation just now, which makes it an act in the audit log. Missing in events of
     * earlier versions.
     */
    isAct: z.literal(true).optional(),
  }),
  key: 'orgId',
  identity: [],
  live: null,
  audit: ({ orgId: id, provisioned, isAct }) =>
    isAct
      ? {
          act: provisioned ? 'organisation.provisioned' : 'organisation.created',
          target: { of: 'organisation', id, name: null },
          changes: provisioned ? changesBetween(null, { seatLimit: auditValues.limit(provisioned.seatLimit) }) : [],
        }
      : null,
});
const settings = z.object({
  name: z.string(),
  locale: z.string(),
  timeZone: z.string(),
  seatLimit: z.number().int().nullable(),
});
const settingFields = ({ name, locale, timeZone, seatLimit }: z.infer<typeof settings>) => ({
  name: auditValues.text(name),
  language: auditValues.language(locale),
  timeZone: auditValues.text(timeZone),
  seatLimit: auditValues.limit(seatLimit),
});

export const organisationUpdated = defineEvent('org.updated.v1', 'org', {
  data: z.object({
    orgId,
    version: z.number().int(),
    /** For the audit log: the fields that a person changed. Missing in events of earlier versions. */
    act: z
      .object({
        did: z.enum(['settings', 'seat-limit']),
        before: settings,
        after: settings,
        /** The person who acted. Missing: the event's actor. */
        by: userId.optional(),
      })
      .optional(),
  }),
  key: 'orgId',
  live: { room: 'organisation', resources: ['organisations', 'seats', 'seat-offer'] },
  audit: ({ orgId: id, act }) => {
    if (!act) return null;
    const { did, before, after, by } = act;
    const isRenamed = before.name !== after.name;
    const settingsChanged = isRenamed ? 'organisation.renamed' : 'organisation.settings-changed';
    return {
      act: did === 'seat-limit' ? 'organisation.seat-limit-changed' : settingsChanged,
      ...(by && { by }),
      target: { of: 'organisation', id, name: after.name },
      changes: changesBetween(settingFields(before), settingFields(after)),
    };
  },
  outside: ['version'],
});
/**
 * The organisation uses this flow (share of capacity) from now on: its own id if it is approved, otherwise the shared
 * flow (ADR 0053). Versions before 0.4.0 named a person or another organisation, which counts as the shared flow now.
 */
export const flowChanged = defineEvent('org.flow-changed.v1', 'org', {
  data: z.object({
    orgId,
    flow: z.string(),
    rightsVersion: z.number().int(),
    /**
     * For the audit log: a platform admin approved the organisation or withdrew the approval. Missing if nobody did,
     * for example when the event is republished.
     */
    act: z
      .object({
        isOwn: z.boolean(),
        /** The person who acted. Missing: the event's actor. */
        by: userId.optional(),
      })
      .optional(),
  }),
  key: 'orgId',
  identity: ['rightsVersion'],
  formerly: { type: 'org.share-changed.v1', fields: { share: 'flow' } },
  live: null,
  audit: ({ orgId: id, act }) =>
    act
      ? {
          act: act.isOwn ? 'own-flow.turned-on' : 'own-flow.turned-off',
          ...(act.by && { by: act.by }),
          target: { of: 'organisation', id, name: null },
        }
      : null,
});
/** An organisation's admins asked the platform admins to approve it. */
export const approvalRequested = defineEvent('org.approval-requested.v1', 'org', {
  data: z.object({ orgId }),
  key: 'orgId',
  live: null,
  audit: ({ orgId: id }) => ({ act: 'approval.requested', target: { of: 'organisation', id, name: null } }),
});
export const organisationRoutes = {
  createOrganisation,
  listOrganisations,
  updateOrganisation,
  requestApproval,
  listOrgRevocations,
};
