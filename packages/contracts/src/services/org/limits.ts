import { defineEvent, defineRoute, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween, type AuditField } from '../../events/audit.ts';
import { ceilingNames, quotaLimits, type CeilingName } from '../../limits/quotas.ts';
import type { Service } from '../../peers.ts';

export const ceilingName = z.enum(ceilingNames as [CeilingName, ...CeilingName[]]);
const ceiling = z.number().int().min(0);

/** A quota of an organisation, or of each of its people if people own it. */
export const organisationLimit = z.strictObject({
  quota: ceilingName,
  /** The number that the organisation uses; null for quotas of people, and for quotas that are counted by the hour. */
  used: z.number().int().nullable(),
  ceiling,
  /** The limit of organisations for which no other limit was set. */
  defaultCeiling: ceiling,
  /** The highest limit that can be set. */
  highest: ceiling,
  /** True if a platform admin set the limit, or an operator by `parley limits`. */
  isSet: z.boolean(),
});
export type OrganisationLimit = z.infer<typeof organisationLimit>;

/** Declares the route that lists the quotas that a service counts, in the order of their table. */
const listIn = <const Name extends Service>(service: Name) =>
  defineRoute({
    service,
    scope: 'platform',
    route: `GET /api/${service}/organisation-limits/:orgId`,
    cost: 'read',
    params: z.strictObject({ orgId }),
    response: z.strictObject({ items: z.array(organisationLimit) }),
  });

/**
 * Declares the route that sets a limit, null for the default, immediately and without removing anything. 409
 * `platform.conflict` with the present limit unless `seen` equals it; `platform.invalid-request` above the highest
 * limit, and for a quota of another service.
 */
const setIn = <const Name extends Service>(service: Name) =>
  defineRoute({
    service,
    scope: 'platform',
    route: `PUT /api/${service}/organisation-limits/:orgId/:quota`,
    cost: 'write',
    params: z.strictObject({ orgId, quota: ceilingName }),
    body: z.strictObject({ ceiling: ceiling.nullable(), seen: ceiling }),
    response: organisationLimit,
  });

/** Maps quotas to audit fields that have another name, because `groups` and `role` are audit fields of other acts. */
const fields: Readonly<Partial<Record<CeilingName, AuditField>>> = { groups: 'groupCount', roles: 'roleCount' };
const limitOf = (quota: CeilingName, count: number) =>
  quotaLimits[quota].unit === 'bytes' ? auditValues.bytes(count) : auditValues.count(count);

/** A platform admin set a quota of an organisation. */
const changedIn = <const Name extends Service>(service: Name) =>
  defineEvent(`${service}.limit-changed.v1`, service, {
    data: z.object({ orgId, by: userId, quota: ceilingName, ceiling, earlier: ceiling }),
    key: 'orgId',
    formerly: { fields: { stock: 'quota' } },
    live: null,
    audit: ({ orgId: id, by, quota, ceiling: now, earlier }) => {
      const field = fields[quota] ?? (quota as AuditField);
      const changes = changesBetween({ [field]: limitOf(quota, earlier) }, { [field]: limitOf(quota, now) });
      return { act: 'limit.changed', by, target: { of: 'organisation', id, name: null }, changes };
    },
  });

export const listAuthLimits = listIn('auth');
export const listOrgLimits = listIn('org');
export const listChatLimits = listIn('chat');
export const listBillingLimits = listIn('billing');
export const listMonitoringLimits = listIn('monitoring');
export const setAuthLimit = setIn('auth');
export const setOrgLimit = setIn('org');
export const setChatLimit = setIn('chat');
export const setBillingLimit = setIn('billing');
export const setMonitoringLimit = setIn('monitoring');
export const authLimitChanged = changedIn('auth');
export const orgLimitChanged = changedIn('org');
export const chatLimitChanged = changedIn('chat');
export const billingLimitChanged = changedIn('billing');
export const monitoringLimitChanged = changedIn('monitoring');

export const limitRoutes = {
  listAuthLimits,
  listOrgLimits,
  listChatLimits,
  listBillingLimits,
  listMonitoringLimits,
  setAuthLimit,
  setOrgLimit,
  setChatLimit,
  setBillingLimit,
  setMonitoringLimit,
};
