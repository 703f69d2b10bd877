import { describe, expect, test } from '@jest/globals';
import { permissions, type Organisation, type PersonPrincipal } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { aPerson } from '@parley/testing';
import { orgSetup, tests as job } from '../org.spec-setup.ts';

const { organisations, rights, clock, recorded } = await orgSetup();

const founder = (): PersonPrincipal => aPerson({ mayCreateOrganisations: true });

function create(principal: PersonPrincipal, body: { id?: OrgId; name: string; slug?: string }): Promise<Organisation> {
  const named = { id: newId('organisation'), locale: 'en', timeZone: 'UTC', ...body };
  const input = { scope: job.of(principal.userId), principal, body: named };
  return organisations.create(input as unknown as Parameters<typeof organisations.create>[0]);
}

function list(principal: PersonPrincipal, query: { limit: number; cursor?: string }) {
  const input = { scope: job.of(principal.userId), principal, query };
  return organisations.list(input as unknown as Parameters<typeof organisations.list>[0]);
}

function rename(principal: PersonPrincipal, id: OrgId, body: { version: number; name: string }): Promise<Organisation> {
  const member = { ...principal, organisation: { orgId: id, permissions, rightsVersion: 1 } };
  const input = { scope: job.in(id), principal: member, params: { orgId: id }, body };
  return organisations.update(input as unknown as Parameters<typeof organisations.update>[0]);
}

describe('creating an organisation', () => {
  test('makes its creator the owner, and tells both', async () => {
    const principal = founder();
    const made = await create(principal, { name: 'Lindmoor Energy' });
    expect(made).toMatchObject({ role: 'owner', memberCount: 1, createdAt: clock.now().toISOString(), version: 1 });
    const events = (await recorded()).filter((event) => event.subject === made.id);
    const inOrder = events.toSorted((one, other) => one.sequence - other.sequence);
    expect(inOrder.map(({ type, sequence, actor }) => [type, sequence, actor])).toEqual([
      ['org.created.v1', 1, `person:${principal.userId}`],
      ['membership.added.v1', 2, `person:${principal.userId}`],
      ['org.flow-changed.v1', 3, `person:${principal.userId}`],
    ]);
  });

  test('again with the same id returns what was made and records nothing', async () => {
    const principal = founder();
    const made = await create(principal, { name: 'Once' });
    const count = (await recorded()).length;
    expect(await create(principal, { id: made.id, name: 'Twice' })).toEqual(made);
    expect(await recorded()).toHaveLength(count);
  });

  test("with somebody else's id is a conflict", async () => {
    const made = await create(founder(), { name: 'Theirs' });
    await expect(create(founder(), { id: made.id, name: 'Mine' })).rejects.toMatchObject({ code: 'platform.conflict' });
  });

  test('numbers a slug that is taken, and refuses one that was asked for', async () => {
    await create(founder(), { name: 'Acme' });
    expect((await create(founder(), { name: 'Acme' })).slug).toBe('acme-2');
    await expect(create(founder(), { name: 'X', slug: 'acme' })).rejects.toMatchObject({ code: 'org.slug-taken' });
  });

  test('is for those who may', async () => {
    await expect(create(aPerson(), { name: 'No' })).rejects.toMatchObject({ code: 'org.creation-not-allowed' });
  });
});

test("a list shows the person's own organisations only, page by page in the order of their ids", async () => {
  const [one, other] = [founder(), founder()];
  const mine: OrgId[] = [];
  for (const name of ['a', 'b', 'c']) {
    mine.push((await create(one, { name })).id);
    await create(other, { name });
  }
  const first = await list(one, { limit: 2 });
  const second = await list(one, { limit: 2, cursor: first.nextCursor! });
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(mine.toSorted());
  expect(second.nextCursor).toBeNull();
});

test('a rename counts the version; one that comes too late gets the current state', async () => {
  const principal = founder();
  const { id } = await create(principal, { name: 'Old' });
  expect(await rename(principal, id, { version: 1, name: 'New' })).toMatchObject({ name: 'New', version: 2 });
  await expect(rename(principal, id, { version: 1, name: 'Late' })).rejects.toMatchObject({
    code: 'platform.conflict',
    extras: { current: { name: 'New', version: 2 } },
  });
});

test('a rename is for members, and for the organisation that the tab is in', async () => {
  const [principal, stranger] = [founder(), founder()];
  const [here, there] = [await create(principal, { name: 'Here' }), await create(principal, { name: 'There' })];
  const refused = { code: 'org.organisation-not-found' };
  await expect(rename(stranger, here.id, { version: 1, name: 'Mine' })).rejects.toMatchObject(refused);
  const member = { ...principal, organisation: { orgId: here.id, permissions, rightsVersion: 1 } };
  const input = { scope: job.in(here.id), principal: member, params: { orgId: there.id } };
  const elsewhere = organisations.update({ ...input, body: { version: 1, name: 'Elsewhere' } } as never);
  await expect(elsewhere).rejects.toMatchObject(refused);
  expect((await list(principal, { limit: 9 })).items.map(({ name }) => name).toSorted()).toEqual(['Here', 'There']);
});

test('a membership is told of members only', async () => {
  const principal = founder();
  const { id: orgId } = await create(principal, { name: 'Members' });
  const ask = (userId: string) => rights.membership({ scope: job, params: { orgId, userId } } as never);
  const mine = { userId: principal.userId, role: 'owner', permissions, groupIds: [], accessEnd: null };
  const known = { orgId, organisationName: 'Members', rightsVersion: 1, ...mine };
  expect(await ask(principal.userId)).toEqual(known);
  await expect(ask(founder().userId)).rejects.toMatchObject({ code: 'org.organisation-not-found' });
});
