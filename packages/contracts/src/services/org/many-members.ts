import { defineRoute, userId } from '@parley/protocol';
import { z } from 'zod';
import { accessEndId } from '../../ids.ts';
import { problemCodes } from '../../problems.ts';
import { roleKey } from '../../roles.ts';
import { actReason, membershipStatus } from './members.ts';

/** So many people one call may change. */
export const mostAtOnce = 100;

const oneMember = z.strictObject({ userId, version: z.number().int() });
const many = {
  people: z.array(oneMember).min(1).max(mostAtOnce),
  reason: actReason.optional(),
  /** Nothing is changed; the answer says what would come of it. Anything else needs a reason. */
  isPreview: z.boolean(),
};
const hasReason = (body: { isPreview: boolean; reason?: string | undefined }): boolean =>
  body.isPreview || body.reason !== undefined;
const why = { path: ['reason'], message: 'say why' };
/** One of each person, in their order. `code` says why the person stays as they are; null where it was done. */
const outcomes = z.strictObject({
  results: z.array(z.strictObject({ userId, code: z.enum(problemCodes).nullable() })),
});
export type ManyOutcome = z.infer<typeof outcomes>['results'][number];
const org = { service: 'org', scope: 'organisation', response: outcomes } as const;

/*
 * Each person is a change of its own, with an entry in the audit log: some may be done and others refused, by the rules
 * of one person's change, and oneself always (`org.not-oneself`). Whoever stands so already counts as done, so that
 * repeating a call changes nothing.
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
 * What the person does in this organisation now comes to its end within a second: tabs are cut, running answers stop, and
 * every session of until now is refused here with `org.access-ended`, until its person signs in again. Their other
 * organisations go on.
 */
export const endManyAccesses = defineRoute({
  ...org,
  permission: 'session:revoke_org',
  cost: 'bulk',
  route: 'POST /api/org/access-ends',
  body: z.strictObject({ ...many, id: accessEndId }).refine(hasReason, why),
});

export const manyMembersRoutes = { changeManyRoles, changeManyStatuses, endManyAccesses };
