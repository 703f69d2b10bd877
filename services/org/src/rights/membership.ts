import type { PictureId } from '@parley/contracts';
import type { OrgId, UserId } from '@parley/protocol';
import { searchKeys, sortNameOf } from '@parley/platform/text';

export const membershipId = (orgId: OrgId, userId: UserId): string => `${orgId}/${userId}`;

/** What auth says of a person. */
export type Person = {
  readonly name: string;
  readonly picture: PictureId | null;
  readonly email: string | null;
  readonly version: number;
};

/** What a membership keeps of a person, with the words by which the person is found. */
export function personFields({ name, picture, email, version }: Person) {
  const nameWords = searchKeys(name);
  return {
    name,
    picture,
    email,
    personVersion: version,
    sortName: sortNameOf(name),
    nameWords,
    words: [...new Set([...nameWords, ...searchKeys(email ?? ''), ...(email === null ? [] : [email])])],
  };
}
