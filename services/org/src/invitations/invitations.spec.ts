import { describe, expect, test } from '@jest/globals';
import { mostInvited, type Invitation, type PersonPrincipal } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { aPerson, countCommands } from '@parley/testing';
import { asked, founded, inRole, joined, letSendMany, orgSetup, tests } from '../org.spec-setup.ts';
import { organisationRows } from '../rights/index.ts';

const setup = await orgSetup();
const { inviting, joining, views, memberList, members, leaving, clock } = setup;
const dayMs = 24 * 3_600_000;
let addresses = 0;
const anAddress = (): string => `guest${(addresses += 1)}@lindmoor.example`;

const rest = { role: 'member', groupIds: [], message: null, locale: 'en', days: 7 };
const invite = (by: PersonPrincipal, emails: string[], more: object = {}) =>
  inviting.invite(
    asked(by, { body: { ...rest, people: emails.map((email) => ({ id: newId('invitation'), email })), ...more } }),
  );
/** As auth answers when the mail is asked for: org gets to know the hash of its secret. */
async function mailed({ id }: Invitation, by: PersonPrincipal): Promise<string> {
  const token = newId('event');
  const scope = tests.in(by.organisation!.orgId);
  await setup.invitations.within(scope).update({ _id: id }, { $set: { tokenHash: hashSecret(token) } });
  return token;
}
function somebody(email: string): PersonPrincipal {
  const person = aPerson();
  setup.addresses.set(person.userId, email);
  return person;
}
const accept = (who: PersonPrincipal, token: string) => joining.accept(asked(who, { body: { token } }));
const look = (token: string) => views.view({ body: { token } } as never);
const seats = (who: PersonPrincipal) => members.seats(asked(who));
const limitSeats = (who: PersonPrincipal, seatLimit: number) =>
  setup.mongo.rows(organisationRows).within(tests.in(who.organisation!.orgId)).update({}, { $set: { seatLimit } });
const offer = { label: 'Field', role: 'guest', groupIds: [], domain: null, places: 2, days: 7 };
const link = (by: PersonPrincipal, more: object = {}) =>
  inviting.makeLink(asked(by, { body: { id: newId('invitation'), ...offer, ...more } }));

describe('inviting by mail', () => {
  test('says of each line what it is before anything is sent', async () => {
    const { orgId, owner } = await founded(setup);
    await joined(setup, orgId, 'member', { email: 'in@lindmoor.example' });
    await invite(owner, ['open@lindmoor.example']);
    const lines = [
      'new@x.example',
      'In@Lindmoor.example ',
      'open@lindmoor.example',
      'NEW@x.example',
      'a\nb@x.example',
      '',
    ];
    const { lines: report, seatsLeft } = await inviting.check(asked(owner, { body: { lines } }));
    expect(report.map(({ verdict }) => verdict)).toEqual([
      'fine',
      'member',
      'invited',
      'twice',
      'malformed',
      'malformed',
    ]);
    expect(seatsLeft).toBeNull();
    await limitSeats(owner, 9);
    expect((await inviting.check(asked(owner, { body: { lines } }))).seatsLeft).toBe(6);
  });

  test('holds a seat each, for all of them or for none', async () => {
    const { owner } = await founded(setup);
    await limitSeats(owner, 3);
    await expect(invite(owner, [anAddress(), anAddress(), anAddress()])).rejects.toMatchObject({
      code: 'org.seats-full',
    });
    expect(await seats(owner)).toEqual({ used: 1, held: 0, limit: 3 });
    const { items, leftOut } = await invite(owner, ['one@x.example', 'two@x.example']);
    expect([items.length, leftOut]).toEqual([2, []]);
    expect(await seats(owner)).toEqual({ used: 1, held: 2, limit: 3 });
    const again = await invite(owner, ['one@x.example']);
    expect([again.items, again.leftOut]).toEqual([[], [{ email: 'one@x.example', verdict: 'invited' }]]);
  });

  test('repeated with the same ids invites nobody twice', async () => {
    const { owner } = await founded(setup);
    const body = { ...rest, people: [{ id: newId('invitation'), email: anAddress() }] };
    const [first, second] = [
      await inviting.invite(asked(owner, { body })),
      await inviting.invite(asked(owner, { body })),
    ];
    expect(second.items).toEqual(first.items);
    expect(await seats(owner)).toMatchObject({ held: 1 });
    const sent = (await setup.recorded()).filter(
      ({ type, subject }) => type === 'invitation.mail-requested.v1' && subject === owner.organisation?.orgId,
    );
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent)).not.toContain('@');
  });

  test('gives nobody more than the inviter has', async () => {
    const { orgId } = await founded(setup);
    const admin = await joined(setup, orgId, 'admin');
    await expect(invite(admin, [anAddress()], { role: 'owner' })).rejects.toMatchObject({
      code: 'org.beyond-own-rights',
    });
    const unknown = { groupIds: [newId('group')] };
    await expect(invite(admin, [anAddress()], unknown)).rejects.toMatchObject({ code: 'org.group-not-found' });
  });
});

describe('accepting', () => {
  test('is for the account of the address, once, and frees what was held', async () => {
    const { orgId, owner } = await founded(setup);
    const email = anAddress();
    const { items } = await invite(owner, [email], { message: 'Welcome' });
    const token = await mailed(items[0]!, owner);
    expect(await look(token)).toMatchObject({ state: 'open', email, hasAccount: false, message: 'Welcome' });
    const [right, wrong] = [somebody(email), somebody(anAddress())];
    await expect(accept(wrong, token)).rejects.toMatchObject({ code: 'org.invitation-for-another' });
    const theirs = await views.viewMine(asked(wrong, { body: { token } }));
    expect(theirs).toEqual({ state: 'other-account' });
    expect(await accept(right, token)).toMatchObject({ id: orgId, role: 'member' });
    expect(await accept(right, token)).toMatchObject({ id: orgId });
    expect(await seats(owner)).toEqual({ used: 2, held: 0, limit: null });
    expect(await look(token)).toMatchObject({ state: 'used' });
    expect(JSON.stringify(await look(token))).not.toContain('Org ');
    await expect(accept(somebody(email), token)).rejects.toMatchObject({ code: 'org.invitation-ended' });
  });

  test('a guessed or cut secret is none', async () => {
    const { owner } = await founded(setup);
    const { items } = await invite(owner, [anAddress()]);
    const token = await mailed(items[0]!, owner);
    for (const bad of ['x', token.slice(0, -1), `${token}0`, token.toLowerCase()])
      await expect(look(bad)).rejects.toMatchObject({ code: 'org.invitation-not-found' });
  });

  test('a mail that is sent again kills the first link at once', async () => {
    const { owner } = await founded(setup);
    const { items } = await invite(owner, [anAddress()]);
    const old = await mailed(items[0]!, owner);
    const resent = await inviting.resend(
      asked(owner, { params: { invitationId: items[0]!.id }, body: { version: items[0]!.version } }),
    );
    await expect(look(old)).rejects.toMatchObject({ code: 'org.invitation-not-found' });
    expect(await look(await mailed(resent, owner))).toMatchObject({ state: 'open' });
    expect(await seats(owner)).toMatchObject({ held: 1 });
  });

  test('what was taken back, declined or is too old names nobody, and its seat is free', async () => {
    const { owner } = await founded(setup);
    const { items } = await invite(owner, [anAddress(), anAddress(), anAddress()]);
    const [revoked, declined, expired] = await Promise.all(items.map((item) => mailed(item, owner)));
    await inviting.revoke(asked(owner, { params: { invitationId: items[0]!.id } }));
    await inviting.revoke(asked(owner, { params: { invitationId: items[0]!.id } }));
    await joining.decline({ body: { token: declined } } as never);
    await joining.decline({ body: { token: declined } } as never);
    clock.advance(7 * dayMs);
    expect(await look(expired!)).toMatchObject({ state: 'expired' });
    await setup.upkeep.endOverdue();
    expect(await seats(owner)).toEqual({ used: 1, held: 0, limit: null });
    expect([(await look(revoked!)).state, (await look(declined!)).state, (await look(expired!)).state]).toEqual([
      'revoked',
      'used',
      'expired',
    ]);
  });

  test('needs an inviter who may still invite', async () => {
    const { orgId, owner } = await founded(setup);
    const admin = await joined(setup, orgId, 'admin');
    const email = anAddress();
    const { items } = await invite(admin, [email]);
    const token = await mailed(items[0]!, admin);
    const remove = { params: { userId: admin.userId }, query: { reason: 'gone' } };
    await leaving.remove(asked(owner, remove));
    expect((await look(token)).state).toBe('inviter-lost-right');
    await expect(accept(somebody(email), token)).rejects.toMatchObject({ code: 'org.inviter-lost-right' });
    expect(await seats(owner)).toEqual({ used: 1, held: 1, limit: null });
  });

  test('without the link is for the proven address only', async () => {
    const { orgId, owner } = await founded(setup);
    const email = anAddress();
    const { items } = await invite(owner, [email]);
    const person = somebody(email);
    const mine = () => joining.listMine(asked(person));
    const open = (who: PersonPrincipal) => joining.acceptMine(asked(who, { params: { invitationId: items[0]!.id } }));
    expect((await mine()).items).toEqual([]);
    await expect(open(person)).rejects.toMatchObject({ code: 'org.invitation-not-found' });
    setup.proven.add(person.userId);
    expect((await mine()).items).toMatchObject([{ id: items[0]!.id, role: 'member' }]);
    const stranger = somebody(anAddress());
    setup.proven.add(stranger.userId);
    await expect(open(stranger)).rejects.toMatchObject({ code: 'org.invitation-not-found' });
    expect(await open(person)).toMatchObject({ id: orgId });
  });
});

describe('a link', () => {
  test('is for as many as it has places, and shown once', async () => {
    const { owner } = await founded(setup);
    const { token, invitation } = await link(owner);
    expect((await inviting.list(asked(owner, { query: { limit: 9 } }))).items).toEqual([invitation]);
    for (const _one of [1, 2]) await accept(somebody(anAddress()), token);
    await expect(accept(somebody(anAddress()), token)).rejects.toMatchObject({ code: 'org.invitation-ended' });
    expect(await seats(owner)).toEqual({ used: 3, held: 0, limit: null });
    expect((await look(token)).state).toBe('used');
  });

  test('with a domain is for proven addresses of it', async () => {
    const { owner } = await founded(setup);
    const { token } = await link(owner, { domain: 'lindmoor.example' });
    await expect(accept(somebody('a@evil-lindmoor.example'), token)).rejects.toMatchObject({
      code: 'org.invitation-for-another',
    });
    const person = somebody(anAddress());
    await expect(accept(person, token)).rejects.toMatchObject({ code: 'org.address-not-proven' });
    setup.proven.add(person.userId);
    expect(await accept(person, token)).toMatchObject({ role: 'guest' });
  });

  test('that is replaced works with the new secret only', async () => {
    const { owner } = await founded(setup);
    const { token: old, invitation } = await link(owner);
    const { token } = await inviting.replaceLink(
      asked(owner, { params: { invitationId: invitation.id }, body: { version: 1 } }),
    );
    await expect(look(old)).rejects.toMatchObject({ code: 'org.invitation-not-found' });
    expect((await look(token)).state).toBe('open');
  });

  test('that gives more than one has is replaced, and a mail sent again, by nobody: the old ones work on', async () => {
    const { orgId, owner } = await founded(setup);
    const admin = await joined(setup, orgId, 'admin');
    const { token, invitation } = await link(owner, { role: 'owner' });
    const [mail] = (await invite(owner, [anAddress()], { role: 'owner' })).items;
    const mailToken = await mailed(mail!, owner);
    const beyond = { code: 'org.beyond-own-rights' };
    const replaced = { params: { invitationId: invitation.id }, body: { version: 1 } };
    await expect(inviting.replaceLink(asked(admin, replaced))).rejects.toMatchObject(beyond);
    const resent = { params: { invitationId: mail!.id }, body: { version: mail!.version } };
    await expect(inviting.resend(asked(admin, resent))).rejects.toMatchObject(beyond);
    for (const old of [token, mailToken]) expect((await look(old)).state).toBe('open');
  });

  test('that is revoked frees no seat: it held none', async () => {
    const { owner } = await founded(setup);
    await invite(owner, [anAddress()]);
    const { invitation } = await link(owner);
    await inviting.revoke(asked(owner, { params: { invitationId: invitation.id } }));
    expect(await seats(owner)).toEqual({ used: 1, held: 1, limit: null });
  });

  test('says that all seats are taken, and lets nobody in', async () => {
    const { owner } = await founded(setup);
    await limitSeats(owner, 1);
    const { token } = await link(owner);
    expect(await look(token)).toMatchObject({ state: 'seats-full', seats: 1 });
    await expect(accept(somebody(anAddress()), token)).rejects.toMatchObject({ code: 'org.seats-full' });
  });

  test('fifty who accept the last seat at once are one member more and 49 clear refusals', async () => {
    const { owner } = await founded(setup);
    await limitSeats(owner, 2);
    const { token } = await link(owner, { places: 50 });
    const settled = await Promise.allSettled(Array.from({ length: 50 }, () => accept(somebody(anAddress()), token)));
    const refusals = settled.flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
    );
    expect(refusals).toHaveLength(49);
    expect([...new Set(refusals)]).toEqual(['org.seats-full']);
    expect(await seats(owner)).toEqual({ used: 2, held: 0, limit: 2 });
    expect((await memberList.list(asked(owner, { query: { limit: 10 } }))).items).toHaveLength(2);
  }, 60_000);

  test('is nothing that a guest may make', async () => {
    const { orgId } = await founded(setup);
    await expect(link(inRole(orgId, ['invite_link:manage']), { role: 'owner' })).rejects.toMatchObject({
      code: 'org.beyond-own-rights',
    });
  });
});

// Last, because every test that lets time pass would end all of them.
describe('many invited by mail', () => {
  test(`are up to ${mostInvited} at once`, async () => {
    const { orgId, owner } = await founded(setup);
    await letSendMany(setup, orgId);
    let invited: Invitation[] = [];
    const commands = await countCommands(async () => {
      invited = (await invite(owner, Array.from({ length: mostInvited }, anAddress))).items;
    });
    expect(invited).toHaveLength(mostInvited);
    // A command for each of them would keep everybody waiting for seconds. What the service asks by the clock counts too.
    expect(commands).toBeLessThan(mostInvited / 2);
    expect(await seats(owner)).toMatchObject({ held: mostInvited });
  }, 60_000);
});
