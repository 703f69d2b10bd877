import type { Organisation } from '@parley/contracts';
import { randomPart } from '@parley/platform/ids';
import { isDuplicateKey } from '@parley/platform/mongo';
import { Problem, type UserId } from '@parley/protocol';
import type { OrganisationRow } from '../rights/index.ts';
import { slugCandidate, suggestedSlug } from './organisation.ts';

const slugTries = 12;
const randomEnding = (): string => randomPart(3).toString('hex');

export type Founding = Pick<Organisation, 'id' | 'name' | 'locale' | 'timeZone'> & {
  readonly createdBy: UserId;
  /** A platform admin creates it, and so approves it. */
  readonly isByPlatform: boolean;
  readonly now: Date;
};

/** Without anybody in it. */
export const newOrganisation = (
  { id, createdBy, isByPlatform, now, ...named }: Founding,
  slug: string,
): OrganisationRow => ({
  _id: id,
  ...named,
  slug,
  createdBy,
  isByPlatform,
  founder: null,
  isApproved: isByPlatform,
  approvalRequestedAt: null,
  createdAt: now,
  suspension: null,
  memberCount: 0,
  ownerCount: 0,
  seatsHeld: 0,
  seatLimit: null,
  roleCounts: {},
  rightsVersion: 1,
  version: 1,
});

/**
 * Makes it under a URL name that is free: one made of the name gets a number, then a random ending until it is. One that
 * somebody asked for and that is taken is `org.slug-taken`. Somebody else's id is `platform.conflict`.
 */
export async function withFreeSlug<Made>(
  { name, slug }: { readonly name: string; readonly slug?: string | undefined },
  make: (slug: string) => Promise<Made>,
): Promise<Made> {
  const suggested = suggestedSlug(name);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await make(slug ?? slugCandidate(suggested, attempt, randomEnding));
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const isTaken = isDuplicateKey(error, 'slug');
      if (isTaken && slug === undefined && attempt < slugTries) continue;
      throw new Problem(isTaken ? 'org.slug-taken' : 'platform.conflict', {}, { cause: error });
    }
  }
}
