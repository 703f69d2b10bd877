import { withoutInvisible, type OrgId, type UserId } from '@parley/contracts';
import { searchKeys } from '@parley/platform/text';

export const membershipId = (orgId: OrgId, userId: UserId): string => `${orgId}/${userId}`;

/** What auth says of a person. */
export type Person = { readonly name: string; readonly email: string | null; readonly version: number };

/** What a membership keeps of a person, with the words by which the person is found. */
export function personFields({ name, email, version }: Person) {
  const nameWords = searchKeys(name);
  return {
    name,
    email,
    personVersion: version,
    sortName: withoutInvisible(name)
      .normalize('NFKD')
      .replaceAll(/\p{M}+/gu, '')
      .toLowerCase()
      .slice(0, 120),
    nameWords,
    words: [...new Set([...nameWords, ...searchKeys(email ?? ''), ...(email === null ? [] : [email])])],
  };
}
