import { findMembers, getOrganisationFacts, type ledgerEntryAdded, type PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import type { DataOf, OrgId, UserId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import { TimeZones } from '../all-organisations/index.ts';
import { ActiveDaysRepository } from './active-days.repository.ts';
import { CountPeople } from './count-people.ts';
import { PeopleService } from './people.service.ts';
import { PseudonymKeys } from './pseudonym-keys.ts';
import { ShownNames } from './shown-names.ts';

type Entry = DataOf<typeof ledgerEntryAdded>;
type Named = { readonly userId: UserId; readonly name: string };

const tests = jobScope('tests');
export const hourMs = 3_600_000;

/** An organisation of six, counted on a store of its own; org and billing answer what `told` says. */
export async function peopleBench() {
  const store = await testStore();
  const { mongo, work, clock } = store;
  const told: { members: readonly Named[] } = { members: [] };
  const platform = { peers: { call: async (...asked: [unknown, Asked]) => answer(told, ...asked) } } as never;
  const days = new ActiveDaysRepository(mongo);
  const zones = new TimeZones(mongo, clock);
  const keys = new PseudonymKeys(mongo);
  const shownNames = new ShownNames(mongo, clock);
  const counting = new CountPeople(days, keys, zones, clock);
  const people = new PeopleService(days, keys, shownNames, zones, clock);

  const count = (...entries: Entry[]) => work.run(job('tests'), (tx) => counting.count(entries, tx));
  function found() {
    const orgId = newId('organisation');
    const team = ['Ada', 'Bo', 'Cy', 'Dee', 'Eli', 'Flo'].map((name): Named => ({ userId: newId('user'), name }));
    told.members = team;
    return { orgId, team, ...actsIn(orgId, team) };
  }
  function actsIn(orgId: OrgId, team: readonly Named[]) {
    const scope = tests.in(orgId);
    const entry = (userId: UserId, more: Partial<Entry> = {}): Entry => ({
      orgId,
      entryId: newId('ledgerEntry'),
      userId,
      model: 'builtin',
      inputTokens: 10,
      outputTokens: 5,
      costMicros: 100,
      currency: 'EUR',
      at: clock.now().toISOString(),
      ...more,
    });
    const reader = (...permissions: string[]): PersonPrincipal =>
      aPerson({ name: 'Ines Vardale', organisation: { orgId, permissions: permissions as never, rightsVersion: 1 } });
    const ines = () => reader('usage:read_org', 'usage:read_person');
    return {
      scope,
      entry,
      reader,
      ines,
      /** Each asks once, the first one the dearest. */
      everybodyAsks: () => count(...team.map(({ userId }, at) => entry(userId, { costMicros: 1_000 - at }))),
      list: (query: object = {}, principal = ines()) =>
        people.list({ scope, principal, query: { limit: 50, span: 'month', sort: 'cost', ...query } } as never),
      pseudonyms: (month: string, userIds: readonly UserId[]) =>
        people.pseudonyms({ scope: tests, params: { orgId }, body: { month, userIds } } as never),
      read: (personId: string, principal = ines()) =>
        people.readOne({ scope, principal, params: { personId }, query: { span: 'month' } } as never),
    };
  }
  return { ...store, told, platform, days, keys, shownNames, count, found };
}

type Asked = { readonly body?: { readonly cursor?: string } };

/** Members come two by two. */
function answer({ members }: { readonly members: readonly Named[] }, route: unknown, { body }: Asked): unknown {
  if (route === getOrganisationFacts) return { name: 'Lindmoor Energy' };
  if (route !== findMembers) throw new Error('nobody is asked for that');
  const from = Number(body?.cursor ?? 0);
  return { items: members.slice(from, from + 2), nextCursor: from + 2 < members.length ? String(from + 2) : null };
}
