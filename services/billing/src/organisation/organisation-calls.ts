import { Injectable } from '@nestjs/common';
import {
  findMembers,
  getOrganisationFacts,
  limits,
  listGroupMembers,
  listPseudonyms,
  type PersonPrincipal,
} from '@parley/contracts';
import type { OrgId, ResponseOf, UserId } from '@parley/protocol';
import { Platform } from '@parley/platform/service';

export type OrganisationFacts = ResponseOf<typeof getOrganisationFacts>;
type Names = ReadonlyMap<UserId, string>;

/** While org is away, the ledger waits for it this often. */
const awayMs = 5_000;
const asking = { deadlineMs: 5_000, failMode: 'refuse' } as const;

/** What org knows of an organisation and its people; refused while org does not answer. */
@Injectable()
export class OrganisationCalls {
  private awayUntil = 0;

  constructor(private readonly platform: Platform) {}

  facts(orgId: OrgId): Promise<OrganisationFacts> {
    return this.platform.peers.call(getOrganisationFacts, { params: { orgId } }, asking);
  }

  /** Returns null if the call fails or takes over a second, and starts no other for five seconds: null meanwhile. */
  async timeZoneOf(orgId: OrgId): Promise<string | null> {
    if (performance.now() < this.awayUntil) return null;
    const soon = { ...asking, deadlineMs: 1_000 };
    try {
      return (await this.platform.peers.call(getOrganisationFacts, { params: { orgId } }, soon)).timeZone;
    } catch {
      this.awayUntil = performance.now() + awayMs;
      return null;
    }
  }

  async groups(orgId: OrgId): Promise<ResponseOf<typeof listGroupMembers>['items']> {
    return (await this.platform.peers.call(listGroupMembers, { params: { orgId } }, asking)).items;
  }

  /** Returns the pseudonyms of these people in a month, in their order; at most 100 at once. */
  async pseudonyms(
    orgId: OrgId,
    month: string,
    people: readonly { readonly userId: UserId }[],
  ): Promise<readonly string[]> {
    const body = { month, userIds: people.map(({ userId }) => userId) };
    return (await this.platform.peers.call(listPseudonyms, { params: { orgId }, body }, asking)).items;
  }

  /** Of those who are members, for readers who may know; else of nobody. */
  async namesFor(principal: PersonPrincipal, userIds: readonly UserId[]): Promise<Names> {
    const { organisation } = principal;
    const among = [...new Set(userIds)];
    if (!organisation?.permissions.includes('member:read') || among.length === 0) return new Map();
    const { orgId } = organisation;
    const limit = limits.pageSize;
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(among.length / limit) }, (_, page) => {
        const body = { among: among.slice(page * limit, (page + 1) * limit), limit };
        return this.platform.peers.call(findMembers, { params: { orgId }, body }, asking);
      }),
    );
    return new Map(pages.flatMap(({ items }) => items.map(({ userId, name }) => [userId, name] as const)));
  }
}
