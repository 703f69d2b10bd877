import { describe, expect, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { asked, founded, joined, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { many, rights, revocations, audit } = setup;

const whom = (...people: PersonPrincipal[]) => people.map(({ userId }) => ({ userId, version: 1 }));
const given = { reason: 'Contract ended', isPreview: false };
const codesOf = ({ results }: { results: readonly { code: string | null }[] }) => results.map(({ code }) => code);
const entriesOf = async (principal: PersonPrincipal, act: string) =>
  (await audit.list(asked(principal, { query: { limit: 50, act } }))).items;
const membershipOf = ({ userId, organisation }: PersonPrincipal) =>
  rights.membership({ scope: tests, params: { orgId: organisation!.orgId, userId } } as never);

/** An organisation with its owner, an admin and two members. */
async function office() {
  const { orgId, owner } = await founded(setup);
  const [admin, ...members] = [
    await joined(setup, orgId, 'admin'),
    await joined(setup, orgId, 'member'),
    await joined(setup, orgId, 'member'),
  ] as const;
  return { orgId, owner, admin, members };
}

describe('a change of many', () => {
  test('is done to each by the rules of one, and says who stays and why', async () => {
    const { owner, admin, members } = await office();
    const stranger = await founded(setup);
    const people = [
      ...whom(admin, owner, stranger.owner),
      { ...whom(members[0])[0]!, version: 7 },
      ...whom(members[1]),
    ];
    const body = { ...given, people, role: 'analyst' };
    const codes = ['org.not-oneself', 'org.beyond-own-rights', 'org.member-not-found', 'platform.conflict', null];
    expect(codesOf(await many.roles(asked(admin, { body })))).toEqual(codes);
    expect(await entriesOf(owner, 'member.role-changed')).toMatchObject([
      {
        target: { id: members[1].userId },
        changes: [{ after: { refs: [{ id: 'analyst' }] } }],
        reason: 'Contract ended',
      },
    ]);
  });

  test('only tried changes nothing, and says the same', async () => {
    const { owner, members } = await office();
    const body = { people: whom(owner, ...members), isPreview: true, status: 'suspended' };
    expect(codesOf(await many.statuses(asked(owner, { body })))).toEqual(['org.not-oneself', null, null]);
    await expect(membershipOf(members[0])).resolves.toMatchObject({ rightsVersion: expect.any(Number) });
    expect(await entriesOf(owner, 'member.suspended')).toEqual([]);
  });

  test('that is repeated is done once', async () => {
    const { owner, members } = await office();
    for (const [status, act] of [
      ['suspended', 'member.suspended'],
      ['active', 'member.restored'],
    ] as const) {
      const people = whom(...members).map((one) => ({ ...one, version: status === 'active' ? 2 : 1 }));
      const call = () => many.statuses(asked(owner, { body: { ...given, people, status } }));
      expect([codesOf(await call()), codesOf(await call())]).toEqual([
        [null, null],
        [null, null],
      ]);
      expect(await entriesOf(owner, act)).toHaveLength(2);
    }
  });

  test('never leaves an organisation without an owner', async () => {
    const { orgId, owner } = await founded(setup);
    const other = await joined(setup, orgId, 'owner');
    const third = await joined(setup, orgId, 'owner');
    await many.statuses(asked(third, { body: { ...given, people: whom(other), status: 'suspended' } }));
    const codes = codesOf(await many.roles(asked(third, { body: { ...given, people: whom(owner), role: 'member' } })));
    expect(codes).toEqual([null]);
    const byOwner = await many.roles(asked(owner, { body: { ...given, people: whom(third), role: 'member' } }));
    expect(codesOf(byOwner)).toEqual(['org.last-owner']);
  });
});

describe('access that is ended', () => {
  test('voids what the person may do now, marks when, is written down; the membership stays', async () => {
    const { orgId, owner, members } = await office();
    const before = await membershipOf(members[0]);
    expect(before.accessEnd).toBeNull();
    const id = newId('accessEnd');
    const end = () => many.endAccesses(asked(owner, { body: { ...given, id, people: whom(members[0]) } }));
    expect(codesOf(await end())).toEqual([null]);
    const after = await membershipOf(members[0]);
    expect(after).toMatchObject({
      permissions: before.permissions,
      accessEnd: { at: setup.clock.now().toISOString(), reason: 'Contract ended' },
    });
    const { items } = await revocations.list(0);
    const voided = items.find(({ subject }) => subject === `${orgId}/${members[0].userId}`);
    expect(voided?.rightsVersion).toBeGreaterThan(before.rightsVersion);
    setup.clock.advance(60_000);
    expect(codesOf(await end())).toEqual([null]);
    expect((await membershipOf(members[0])).accessEnd).toEqual(after.accessEnd);
    expect(await entriesOf(owner, 'member.access-ended')).toMatchObject([
      { target: { id: members[0].userId }, reason: 'Contract ended' },
    ]);
    expect((await membershipOf(members[1])).accessEnd).toBeNull();
  });

  test('is not oneself’s, nor that of somebody who may do more', async () => {
    const { owner, admin } = await office();
    const body = { ...given, id: newId('accessEnd'), people: whom(admin, owner) };
    expect(codesOf(await many.endAccesses(asked(admin, { body })))).toEqual([
      'org.not-oneself',
      'org.beyond-own-rights',
    ]);
  });
});

test('members are found among some and beside others, by name, whatever else is asked', async () => {
  const { orgId, owner, admin, members } = await office();
  const find = async (body: object) =>
    (await setup.memberList.find({ scope: tests, params: { orgId }, body: { limit: 50, ...body } } as never)).items.map(
      ({ userId }) => userId,
    );
  const ids = [admin, ...members].map(({ userId }) => userId);
  expect((await find({ among: ids })).toSorted()).toEqual(ids.toSorted());
  expect(await find({ among: ids, role: 'admin' })).toEqual([admin.userId]);
  expect(await find({ except: ids })).toEqual([owner.userId]);
  expect(await find({ except: ids, text: 'nobody' })).toEqual([]);
});
