import { userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId } from './ids.ts';
import type { PersonPrincipal } from './principal.ts';
import { roleKey } from './roles.ts';

/**
 * Says who can use something of an organisation: everyone, or people with one of the roles, in one of the groups, or
 * named one by one.
 */
export const audience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('everybody') }),
  z.strictObject({
    kind: z.literal('some'),
    roles: z.array(roleKey).max(50),
    groupIds: z.array(groupId).max(50),
    userIds: z.array(userId).max(200),
  }),
]);
export type Audience = z.infer<typeof audience>;

/** Names a person, their role and their groups in the organisation. */
export type Somebody = Pick<PersonPrincipal, 'userId'> & {
  readonly organisation: Pick<NonNullable<PersonPrincipal['organisation']>, 'role' | 'groupIds'>;
};

/** Returns whether this person is part of the audience. */
export function isFor(audience: Audience, { userId, organisation }: Somebody): boolean {
  if (audience.kind === 'everybody') return true;
  const { role, groupIds = [] } = organisation;
  return (
    audience.userIds.includes(userId) ||
    (role !== undefined && audience.roles.includes(role)) ||
    groupIds.some((id) => audience.groupIds.includes(id))
  );
}
