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

/** Why nobody may do anything in an organisation, and which platform admin can be asked. */
export const suspension = z.strictObject({ reason: z.string(), by: z.string(), at: timestamp });
export type Suspension = z.infer<typeof suspension>;

/** Says whether an organisation is approved, which gives it a flow of its own, or its admins have asked for that. */
export const approval = z.enum(['approved', 'requested', 'none']);
export type Approval = z.infer<typeof approval>;

/** The flow that all organisations use together that are not approved (ADR 0053). */
export const unapprovedFlow = 'unapproved';

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
  /** Of invitations and mails to people without an account. */
  locale,
  /** In which its days and months begin. */
  timeZone: z.string(),
  /** Null while people may work in it. */
  suspension: suspension.nullable(),
  approval,
  createdAt: timestamp,
  version: z.number().int(),
});
export type Organisation = z.infer<typeof organisation>;

export const organisationName = plainName(80);

/** Creator = owner. The slug is made from the name unless given; a taken one given by the person is refused. */
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

/** My organisations, in the order in which they were made. */
export const listOrganisations = defineRoute({
  service: 'org',
  route: 'GET /api/org/organisations',
  scope: 'person',
  cost: 'read',
  query: pageQuery,
  response: pageOf(organisation),
});

/** A version that is not the current one is 409 `platform.conflict` with the current state. */
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

/** Asks the platform admins to approve the organisation. Repeating it, or asking for one that is approved, changes nothing. */
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

/** Its creator hears of the membership that comes with it. */
export const organisationCreated = defineEvent('org.created.v1', 'org', {
  data: z.object({
    orgId,
    createdBy: userId,
    /** For the audit log: the seats of one that a platform admin has made. Absent in all others. */
    provisioned: z.object({ seatLimit: z.number().int().nullable() }).optional(),
    /** A person did it now. Absent in what earlier versions published. */
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
    /** For the audit log: what a person changed. Absent in what earlier versions published. */
    act: z
      .object({
        did: z.enum(['settings', 'seat-limit']),
        before: settings,
        after: settings,
        /** Absent: the event's actor. */
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
 * Says which flow the organisation uses from now on: its own id once it is approved, else the one that all others share
 * (ADR 0053). Versions before 0.4.0 named a person or another organisation, which is the shared one now.
 */
export const flowChanged = defineEvent('org.flow-changed.v1', 'org', {
  data: z.object({
    orgId,
    flow: z.string(),
    rightsVersion: z.number().int(),
    /** For the audit log: a platform admin approved it, or withdrew that. Absent where nobody did, such as when it is published again. */
    act: z
      .object({
        isOwn: z.boolean(),
        /** Absent: the event's actor. */
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
/** Its people ask the platform admins to approve it. */
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
