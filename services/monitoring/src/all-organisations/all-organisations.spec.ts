import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { OrganisationOverview, getOrganisationFacts } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { OrgId, ResponseOf } from '@parley/protocol';
import { testStore } from '@parley/testing';
import { AllOrganisationsService } from './all-organisations.service.ts';
import { earlierOverviews } from './earlier-overviews.ts';

type Facts = ResponseOf<typeof getOrganisationFacts>;
const { mongo, work, ready } = await testStore();
/** What org says of each. */
const facts = new Map<OrgId, Facts>();
const platform = {
  peers: { call: async (_route: unknown, { params }: { params: { orgId: OrgId } }) => facts.get(params.orgId) },
} as unknown as Platform;
const service = new AllOrganisationsService(mongo, platform);
const tests = jobScope('tests');
beforeAll(ready);

const made = (day: number) => `2026-11-0${day}T10:00:00.000Z`;
async function tell(parts: Partial<Facts>): Promise<OrgId> {
  const orgId = parts.orgId ?? newId('organisation');
  const named = { name: 'Fennick', slug: orgId.slice(-8).toLowerCase(), memberCount: 1, seatLimit: null };
  facts.set(orgId, { orgId, ...named, timeZone: 'UTC', status: 'active', createdAt: made(1), revision: 2, ...parts });
  await renew(orgId);
  return orgId;
}
const renew = (orgId: OrgId) => work.run(job('tests'), (tx) => service.renew(tests.in(orgId), tx));
const asks = (orgId: OrgId, at: string) =>
  work.run(job('tests'), (tx) => service.noteActivity(new Map([[orgId, new Date(at)]]), tx));
const read = (orgId: OrgId): Promise<OrganisationOverview> =>
  service.read({ scope: tests, params: { orgId } } as never);
const list = (query: object) => service.list({ scope: tests, query: { limit: 50, ...query } } as never);
const namesOf = async (query: object) => (await list(query)).items.map(({ name }) => name);

test('the only organisation of an installation is known as such', async () => {
  expect(await service.isOnlyOne()).toBe(false);
  await tell({});
  expect(await service.isOnlyOne()).toBe(true);
  await tell({});
  expect(await service.isOnlyOne()).toBe(false);
});

describe('the copy of an organisation', () => {
  test('is what org says now, whatever happened in which order', async () => {
    const orgId = await tell({ name: 'Old', revision: 2 });
    await tell({ orgId, name: 'New', status: 'suspended', revision: 5 });
    expect(await read(orgId)).toMatchObject({ name: 'New', status: 'suspended', lastActivityAt: made(1) });
    await tell({ orgId, name: 'Older', revision: 4 });
    expect((await read(orgId)).name).toBe('New');
  });

  test('keeps the latest activity, also of events that come late', async () => {
    const orgId = await tell({});
    await asks(orgId, made(5));
    await asks(orgId, made(3));
    await tell({ orgId, name: 'Renamed', revision: 9 });
    expect(await read(orgId)).toMatchObject({ name: 'Renamed', lastActivityAt: made(5) });
  });

  test('of none is not found', async () => {
    await expect(read(newId('organisation'))).rejects.toMatchObject({ code: 'org.organisation-not-found' });
  });
});

describe('the list', () => {
  beforeEach(() => mongo.connection.collection('org_overview').deleteMany({}));
  const three = async () => {
    await tell({ name: 'Polderhuis Insurance', memberCount: 177, createdAt: made(1), revision: 3 });
    const esker = await tell({ name: 'Ésker Geodata', memberCount: 54, status: 'suspended', createdAt: made(3) });
    await tell({ name: 'copperlane dental', memberCount: 9, createdAt: made(2) });
    await asks(esker, made(9));
  };

  test('comes by name, or as one wants it', async () => {
    await three();
    const byName = ['copperlane dental', 'Ésker Geodata', 'Polderhuis Insurance'];
    expect(await namesOf({})).toEqual(byName);
    expect(await namesOf({ sort: 'members' })).toEqual(byName.toReversed());
    expect((await namesOf({ sort: 'activity' }))[0]).toBe('Ésker Geodata');
    expect(await namesOf({ sort: 'created' })).toEqual([byName[1], byName[0], byName[2]]);
  });

  test('finds by the start of any word, and by state, each in every order', async () => {
    await three();
    for (const sort of [undefined, 'members', 'activity', 'created']) {
      expect(await namesOf({ sort, text: 'insur' })).toEqual(['Polderhuis Insurance']);
      expect(await namesOf({ sort, status: 'suspended' })).toEqual(['Ésker Geodata']);
      expect(await namesOf({ sort, text: 'polder', status: 'suspended' })).toEqual([]);
    }
    expect(await namesOf({ text: '…' })).toEqual([]);
  });

  test('finds those that ask for an approval, and those that are not approved and have not asked, in every order', async () => {
    await tell({ name: 'Approved', approval: 'approved' });
    await tell({ name: 'Asking', approval: 'requested' });
    const orgId = await tell({ name: 'Silent', approval: 'none' });
    for (const sort of [undefined, 'members', 'activity', 'created']) {
      expect(await namesOf({ sort, approval: 'requested' })).toEqual(['Asking']);
      expect(await namesOf({ sort, approval: 'none', text: 'sil' })).toEqual(['Silent']);
    }
    await mongo.connection.collection('org_overview').updateOne({ _id: orgId as never }, { $unset: { approval: '' } });
    await earlierOverviews.batch(mongo, null);
    expect((await read(orgId)).approval).toBe('none');
  });

  test('comes page by page, also where many are alike', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await tell({ name });
    for (const sort of [undefined, 'members', 'created']) {
      const found: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ sort, limit: 2, cursor });
        found.push(...page.items.map(({ name }) => name));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(found.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    }
  });
});
