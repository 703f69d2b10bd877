import { userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId } from './ids.ts';
import type { PersonPrincipal } from './principal.ts';
import { roleKey } from './roles.ts';

/** Whom something of an organisation is for: everybody, or whoever has one of the roles, is in one of the groups, or is named. */
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

/** Who is looked at: a person, with the role and the groups that they have in the organisation. */
export type Somebody = Pick<PersonPrincipal, 'userId'> & {
  readonly organisation: Pick<NonNullable<PersonPrincipal['organisation']>, 'role' | 'groupIds'>;
};

/** Whether something for these is for this person. */
export function isFor(audience: Audience, { userId, organisation }: Somebody): boolean {
  if (audience.kind === 'everybody') return true;
  const { role, groupIds = [] } = organisation;
  return (
    audience.userIds.includes(userId) ||
    (role !== undefined && audience.roles.includes(role)) ||
    groupIds.some((id) => audience.groupIds.includes(id))
  );
}
