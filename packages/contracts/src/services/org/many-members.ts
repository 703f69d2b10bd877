import { defineRoute, userId } from '@parley/protocol';
import { z } from 'zod';
import { accessEndId } from '../../ids.ts';
import { problemCodes } from '../../problems.ts';
import { roleKey } from '../../roles.ts';
import { actReason, membershipStatus } from './members.ts';

/** Limits the members that one call can change. */
export const mostAtOnce = 100;

const oneMember = z.strictObject({ userId, version: z.number().int() });
const many = {
  people: z.array(oneMember).min(1).max(mostAtOnce),
  reason: actReason.optional(),
  /** True: nothing changes, and the response says what would happen. Otherwise a reason is required. */
  isPreview: z.boolean(),
};
const hasReason = (body: { isPreview: boolean; reason?: string | undefined }): boolean =>
  body.isPreview || body.reason !== undefined;
const why = { path: ['reason'], message: 'say why' };
/**
 * One outcome for each person, in the order of the request. `code` says why the person stays as they are; null if the
 * change was made.
 */
const outcomes = z.strictObject({
  results: z.array(z.strictObject({ userId, code: z.enum(problemCodes).nullable() })),
});
export type ManyOutcome = z.infer<typeof outcomes>['results'][number];
const org = { service: 'org', scope: 'organisation', response: outcomes } as const;

/*
 * Changes each person separately, with an audit entry each: some changes can succeed and others be refused, by the
 * rules of a single change. A change of the caller is always refused (`org.not-oneself`). A person who has the wanted
 * state already counts as done, so repeating is harmless.
 */

export const changeManyRoles = defineRoute({
  ...org,
  permission: 'member:update_role',
  cost: 'bulk',
  route: 'PUT /api/org/member-roles',
  body: z.strictObject({ ...many, role: roleKey }).refine(hasReason, why),
});

export const changeManyStatuses = defineRoute({
  ...org,
  permission: 'member:suspend',
  cost: 'bulk',
  route: 'PUT /api/org/member-statuses',
  body: z.strictObject({ ...many, status: membershipStatus }).refine(hasReason, why),
});

/**
 * Ends what these people do in this organisation within a second: tabs are disconnected, running answers stop, and
 * every session from before is refused here with `org.access-ended` until its person signs in again. Their other
 * organisations aren't affected.
 */
export const endManyAccesses = defineRoute({
  ...org,
  permission: 'session:revoke_org',
  cost: 'bulk',
  route: 'POST /api/org/access-ends',
  body: z.strictObject({ ...many, id: accessEndId }).refine(hasReason, why),
});

export const manyMembersRoutes = { changeManyRoles, changeManyStatuses, endManyAccesses };
