import { expect, test } from '@jest/globals';
import type { OrgRole, PersonPrincipal } from '@parley/contracts';
import { Problem, type OrgId } from '@parley/protocol';
import { asked, founded, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';
import { membershipRows } from './membership.collection.ts';
import { organisationRows } from './organisation.collection.ts';

const setup = await orgSetup();
const roles: readonly OrgRole[] = ['owner', 'admin', 'member', 'guest'];
const seatLimit = 9;

/** A generator of numbers below one that a seed repeats (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Act = (any: PersonPrincipal, other: PersonPrincipal, role: OrgRole) => Promise<unknown>;
const acts: Record<string, Act> = {
  join: async (any) => joined(setup, orgOf(any), 'member'),
  leave: async (any) => setup.leaving.leave(asked(any, { scope: tests.of(any.userId), params: { orgId: orgOf(any) } })),
  remove: async (any, other) =>
    setup.leaving.remove(asked(any, { params: { userId: other.userId }, query: { reason: 'test' } })),
  demote: async (any, other, role) => {
    const version = await versionOf(other);
    return setup.members.changeRole(asked(any, { params: { userId: other.userId }, body: { version, role } }));
  },
  suspend: async (any, other, role) => {
    const version = await versionOf(other);
    const body = role === 'member' ? { version, status: 'active' } : { version, status: 'suspended', reason: 'test' };
    return setup.members.changeStatus(asked(any, { params: { userId: other.userId }, body }));
  },
  transfer: async (any, other) => setup.leaving.transfer(asked(any, { body: { userId: other.userId } })),
};
const orgOf = (person: PersonPrincipal): OrgId => person.organisation!.orgId;
const versionOf = async (person: PersonPrincipal): Promise<number> =>
  (await setup.memberships.find(tests.in(orgOf(person)), person.userId))?.version ?? 1;

test.each([1, 2, 3])(
  'whatever is done at once, one active owner stays, seats are kept and counts are right (seed %i)',
  async (seed) => {
    const { orgId, owner } = await founded(setup);
    await setup.mongo.rows(organisationRows).within(tests.in(orgId)).update({}, { $set: { seatLimit } });
    const everybody = [owner, ...(await Promise.all(roles.map((role) => joined(setup, orgId, role))))];
    // Whoever acts claims the rights of an owner: what holds is the guard's doing, not theirs.
    const actors = everybody.map(({ userId }) => inRole(orgId, 'owner', userId));
    const next = numbers(seed);
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!;
    const outcomes: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const names = Array.from({ length: 5 }, () => pick(Object.keys(acts)));
      const settled = await Promise.allSettled(
        names.map((name) => acts[name]!(pick(actors), pick(actors), pick(roles))),
      );
      outcomes.push(...settled.map((one) => (one.status === 'fulfilled' ? 'done' : codeOf(one.reason))));
      const { items } = await setup.memberList.list(asked(owner, { query: { limit: 100 } }));
      const guard = await setup.memberships.organisation(tests.in(orgId));
      expect(guard.ownerCount).toBeGreaterThanOrEqual(1);
      expect(guard.memberCount).toBeLessThanOrEqual(seatLimit);
      expect(items.filter(({ role, status }) => role === 'owner' && status === 'active')).toHaveLength(
        guard.ownerCount,
      );
      expect(await setup.mongo.rows(membershipRows).within(tests.in(orgId)).count({})).toBe(guard.memberCount);
      for (const role of roles)
        expect([role, items.filter((item) => item.role === role).length]).toEqual([role, guard.roleCounts[role] ?? 0]);
    }
    expect(outcomes).toContain('done');
    const expected = ['done', 'org.last-owner', 'org.seats-full', 'org.member-not-found', 'org.not-oneself'];
    expect(outcomes.filter((one) => ![...expected, 'platform.conflict'].includes(one))).toEqual([]);
  },
  60_000,
);

const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));
