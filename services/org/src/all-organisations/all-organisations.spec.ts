import { describe, expect, test } from '@jest/globals';
import type { InvitationId, PersonPrincipal, PlatformOrganisation } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { hashSecret } from '@parley/platform/crypto';
import type { OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { asked, founded, inRole, joined, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { all, rights, joining, views, revocations, recorded, audit, organisations } = setup;
const admin = aPerson({ name: 'Greta Solvain', platformRole: 'admin' });

const call = (params: object, body?: object) => ({ scope: tests, principal: admin, params, body }) as never;
const read = (orgId: OrgId) => all.read(call({ orgId }));
const suspend = async (orgId: OrgId, reason = 'Unpaid since May'): Promise<PlatformOrganisation> =>
  all.changeStatus(call({ orgId }, { version: (await read(orgId)).version, status: 'suspended', reason }));
const resume = async (orgId: OrgId): Promise<PlatformOrganisation> =>
  all.changeStatus(call({ orgId }, { version: (await read(orgId)).version, status: 'active' }));
const membershipOf = (orgId: OrgId, { userId }: PersonPrincipal) =>
  rights.membership({ scope: tests, params: { orgId, userId } } as never);
const entries = async (orgId: OrgId) =>
  (await audit.list(asked(inRole(orgId, 'owner'), { query: { limit: 20 } }))).items;

describe('a suspended organisation', () => {
  test('lets nobody of it do anything, says why and whom to ask, and lets all go on when it is resumed', async () => {
    const { orgId, owner } = await founded(setup);
    const guest = await joined(setup, orgId, 'guest');
    const before = await membershipOf(orgId, guest);
    expect(await suspend(orgId)).toMatchObject({ status: 'suspended', suspension: { by: 'Greta Solvain' } });
    for (const one of [owner, guest])
      await expect(membershipOf(orgId, one)).rejects.toMatchObject({
        code: 'org.organisation-suspended',
        extras: { detail: expect.stringMatching(/Greta Solvain.*Unpaid since May/) },
      });
    expect(await resume(orgId)).toMatchObject({ status: 'active', suspension: null });
    expect((await membershipOf(orgId, guest)).permissions).toEqual(before.permissions);
  });

  test('voids what all of its people could do before, by one entry', async () => {
    const { orgId, owner } = await founded(setup);
    const { rightsVersion } = await membershipOf(orgId, owner);
    const { cursor } = await revocations.list(undefined);
    await suspend(orgId);
    const { items } = await revocations.list(cursor);
    expect(items).toMatchObject([{ kind: 'organisation', subject: orgId, rightsVersion: rightsVersion + 1 }]);
  });

  test('is unknown to strangers as before', async () => {
    const { orgId } = await founded(setup);
    await suspend(orgId);
    await expect(membershipOf(orgId, aPerson())).rejects.toMatchObject({ code: 'org.organisation-not-found' });
    const { items } = await organisations.list(asked(aPerson(), { query: { limit: 5 } }));
    expect(items).toEqual([]);
  });

  test('stands among the organisations of its people, with the reason', async () => {
    const { orgId, owner } = await founded(setup);
    await suspend(orgId, 'Unpaid');
    const person = aPerson({ userId: owner.userId });
    const { items } = await organisations.list(asked(person, { query: { limit: 5 } }));
    expect(items).toMatchObject([{ id: orgId, suspension: { reason: 'Unpaid', by: 'Greta Solvain' } }]);
  });

  test('is written down with its reason and by whom, and told', async () => {
    const { orgId } = await founded(setup);
    await suspend(orgId, 'Unpaid');
    await resume(orgId);
    const actor = { userId: admin.userId, name: 'Greta Solvain', isPlatformAdmin: true };
    expect((await entries(orgId)).slice(0, 2)).toMatchObject([
      { act: 'organisation.resumed', actor, reason: null },
      { act: 'organisation.suspended', actor, reason: 'Unpaid' },
    ]);
    expect((await entries(orgId)).at(-1)?.actor.isPlatformAdmin).toBe(false);
    const told = (await recorded()).filter(({ subject }) => subject === orgId).map(({ type }) => type);
    expect(told).toEqual(expect.arrayContaining(['org.suspended.v1', 'org.resumed.v1']));
  });

  test('of two admins the second one sees what the first has done', async () => {
    const { orgId } = await founded(setup);
    const { version } = await suspend(orgId);
    const late = call({ orgId }, { version: version - 1, status: 'suspended', reason: 'Me too' });
    await expect(all.changeStatus(late)).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { status: 'suspended', version } },
    });
  });
});

describe('an organisation that is made for somebody', () => {
  const email = 'runa@fennick.example';
  const make = (parts: object = {}) => {
    const id = newId('organisation');
    const owner = { invitationId: newId('invitation'), email };
    const body = {
      id,
      name: 'Fennick Clinics',
      owner,
      locale: 'de',
      timeZone: 'Europe/Berlin',
      seatLimit: 5,
      ...parts,
    };
    return all.provision(call({}, body));
  };
  /** As if its mail had gone out. */
  const secretOf = async (orgId: OrgId, id: InvitationId): Promise<string> => {
    const row = (await setup.invitations.find(tests.in(orgId), id))!;
    const token = newId('invitation');
    await setup.work.run(admin, (tx) =>
      setup.invitations.change(tests.in(orgId), tx, { row, changes: { tokenHash: hashSecret(token) } }),
    );
    return token;
  };
  const somebody = (): PersonPrincipal => {
    const person = aPerson();
    setup.addresses.set(person.userId, email);
    return person;
  };
  const accept = (person: PersonPrincipal, token: string) => joining.accept(asked(person, { body: { token } }));

  test('waits for its owner, whose invitation is mailed in its language', async () => {
    const made = await make();
    expect(made).toMatchObject({ status: 'waiting', members: { active: 0 }, seatsHeld: 1, ownerInvitation: { email } });
    const row = await setup.invitations.find(tests.in(made.id), made.ownerInvitation!.id);
    expect(row).toMatchObject({ role: 'owner', locale: 'de', inviterName: 'Greta Solvain' });
    const told = (await recorded()).filter(({ subject }) => subject === made.id).map(({ type }) => type);
    expect(told.toSorted()).toEqual(['invitation.mail-requested.v1', 'org.created.v1', 'org.flow-changed.v1']);
  });

  test('has the URL name that the platform admin gave it; a taken one is refused', async () => {
    const slug = `clinics-${newId('organisation').slice(-8).toLowerCase()}`;
    expect(await make({ slug })).toMatchObject({ slug });
    await expect(make({ slug })).rejects.toMatchObject({ code: 'org.slug-taken' });
  });

  test.each(['Fennick Clinics', '东京大学', '\u{E000}'])(
    'gets a URL name of its own, however many others are called %s',
    async (name) => {
      const slugs = new Set<string>();
      for (let count = 0; count < 30; count += 1) slugs.add((await make({ name })).slug);
      expect(slugs.size).toBe(30);
    },
  );

  test('is theirs once they have accepted, and nobody else becomes its first owner', async () => {
    const made = await make();
    const [first, second] = [somebody(), somebody()];
    const token = await secretOf(made.id, made.ownerInvitation!.id);
    expect(await accept(first, token)).toMatchObject({ role: 'owner', memberCount: 1 });
    const now = await read(made.id);
    expect(now).toMatchObject({ status: 'active', seatsHeld: 0, owners: [{ userId: first.userId, email }] });
    await expect(accept(second, token)).rejects.toMatchObject({ code: 'org.invitation-ended' });
    const owner = { invitationId: newId('invitation'), email: 'else@fennick.example' };
    await expect(all.inviteFirstOwner(call({ orgId: made.id }, owner))).rejects.toMatchObject({
      code: 'platform.conflict',
    });
  });

  test('has one open invitation: another one ends it, the same one again changes nothing', async () => {
    const made = await make();
    const old = await secretOf(made.id, made.ownerInvitation!.id);
    const owner = { invitationId: newId('invitation'), email: 'right@fennick.example' };
    for (const _ of [1, 2]) {
      const now = await all.inviteFirstOwner(call({ orgId: made.id }, owner));
      expect(now).toMatchObject({ seatsHeld: 1, ownerInvitation: { id: owner.invitationId, email: owner.email } });
    }
    await expect(accept(somebody(), old)).rejects.toMatchObject({ code: 'org.invitation-ended' });
  });

  test('made again with the same id is the one that is there', async () => {
    const made = await make();
    const count = (await recorded()).length;
    expect(await make({ id: made.id, name: 'Twice' })).toEqual(made);
    expect(await recorded()).toHaveLength(count);
  });

  test('takes nobody in while it is suspended, and the invitation says so', async () => {
    const made = await make();
    const token = await secretOf(made.id, made.ownerInvitation!.id);
    await suspend(made.id, 'A secret reason');
    const view = await views.view({ body: { token } } as never);
    expect(view).toEqual({ state: 'suspended', organisation: 'Fennick Clinics' });
    const person = somebody();
    await expect(accept(person, token)).rejects.toMatchObject({ code: 'org.organisation-suspended', extras: {} });
    await resume(made.id);
    expect(await accept(person, token)).toMatchObject({ id: made.id });
  });
});

test('a limit counts for whoever comes next, and takes nobody out', async () => {
  const { orgId } = await founded(setup);
  await joined(setup, orgId, 'member');
  const { version } = await read(orgId);
  const limited = await all.changeSeatLimit(call({ orgId }, { version, seatLimit: 1 }));
  expect(limited).toMatchObject({ seatLimit: 1, members: { active: 2, suspended: 0 } });
  await expect(joined(setup, orgId, 'member')).rejects.toMatchObject({ code: 'org.seats-full' });
  expect((await entries(orgId))[0]).toMatchObject({
    act: 'organisation.seat-limit-changed',
    changes: [{ field: 'seatLimit', before: { kind: 'unlimited' }, after: { kind: 'count', count: 1 } }],
  });
});

test('an organisation that is none is not found, whatever is wanted of it', async () => {
  const params = { orgId: newId('organisation') };
  const unknown = { code: 'org.organisation-not-found' };
  await expect(all.read(call(params))).rejects.toMatchObject(unknown);
  await expect(all.changeSeatLimit(call(params, { version: 1, seatLimit: 1 }))).rejects.toMatchObject(unknown);
  await expect(all.changeStatus(call(params, { version: 1, status: 'active' }))).rejects.toMatchObject(unknown);
  const owner = { invitationId: newId('invitation'), email: 'a@example.com' };
  await expect(all.inviteFirstOwner(call(params, owner))).rejects.toMatchObject(unknown);
});

test('its facts have a higher revision after each change', async () => {
  const { orgId } = await founded(setup);
  const facts = () => all.facts({ scope: tests, params: { orgId } } as never);
  const revisions = [(await facts()).revision];
  await joined(setup, orgId, 'member');
  revisions.push((await facts()).revision);
  await suspend(orgId);
  revisions.push((await facts()).revision);
  await resume(orgId);
  revisions.push((await facts()).revision);
  expect(revisions).toEqual([...new Set(revisions)].toSorted((one, other) => one - other));
  expect(await facts()).toMatchObject({ memberCount: 2, status: 'active' });
});
