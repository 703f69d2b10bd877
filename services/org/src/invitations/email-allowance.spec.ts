import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { attemptLimits, quotaLimits, type PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Quotas } from '@parley/platform/quotas';
import { networkHeader, Problem, type OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { organisationRows } from '../rights/index.ts';
import { asked, founded, inRole, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { inviting, arrivals, proven, clock, mongo } = setup;
const quotas = new Quotas(mongo);
const hourMs = 3_600_000;
const rest = { role: 'guest', groupIds: [], message: null, locale: 'en' as const, days: 7 };
let addresses = 0;
const people = (count: number) =>
  Array.from({ length: count }, () => ({
    id: newId('invitation'),
    email: `mail-${(addresses += 1)}@lindmoor.example`,
  }));
const from = (network: string) => ({ header: (name: string) => (name === networkHeader ? network : undefined) });
/** Returns the number of people invited, or the code of the refusal. */
const invite = (
  by: PersonPrincipal,
  count: number,
  { network = '192.0.2.0/24', message = null as string | null } = {},
) =>
  inviting.invite(asked(by, { body: { ...rest, message, people: people(count) }, request: from(network) })).then(
    ({ items }) => items.length,
    ({ code }: Problem) => code,
  );
const came = ({ userId }: PersonPrincipal, hoursAgo: number, invitedBy: OrgId | null | undefined) =>
  arrivals.set(userId, { createdAt: new Date(clock.now().getTime() - hoursAgo * hourMs), invitedBy });
const inviter = newId('organisation');
const full = 'org.email-limit-reached';
/** Another network for each test. */
let networks = 0;
let network: string;
// Counts expire by the time of the machine.
beforeAll(() => clock.advance(Date.now() - clock.now().getTime()));
// At the beginning of an hour: no test reaches over its end unless it says so.
beforeEach(() => {
  clock.advance(hourMs - (clock.now().getTime() % hourMs));
  network = `203.0.${(networks += 1)}.0/24`;
});

test('an hour has 200 emails of a person, 500 of a network and an organisation, 20 of a new account', () => {
  const { 'person-emails': person, 'network-emails': net, 'new-account-emails': newAccount } = attemptLimits;
  expect([person.most, net.most, newAccount.most]).toEqual([200, 500, 20]);
  expect(quotaLimits.emails.ceiling).toBe(500);
});

/** With limits of a tenth. */
describe('in an hour', () => {
  const replaced: { restore(): void }[] = [];
  beforeAll(() => {
    for (const name of ['person-emails', 'network-emails', 'new-account-emails'] as const)
      replaced.push(jest.replaceProperty(attemptLimits[name], 'most', (attemptLimits[name].most / 10) as never));
  });
  afterAll(() => replaced.forEach((property) => property.restore()));

  test('a person sends emails up to the limit, across all organisations, and again in the next hour', async () => {
    const one = await founded(setup);
    const other = { ...(await founded(setup)) };
    const elsewhere = inRole(other.orgId, 'owner', one.owner.userId);
    expect(await invite(one.owner, 12, { network })).toBe(12);
    expect(await invite(elsewhere, 9, { network })).toBe(full);
    expect(await invite(elsewhere, 8, { network })).toBe(8);
    expect(await invite(one.owner, 1, { network })).toBe(full);
    clock.advance(hourMs);
    expect(await invite(one.owner, 1, { network })).toBe(1);
  });

  test('a refused call counts nothing and invites nobody', async () => {
    const { owner } = await founded(setup);
    expect(await invite(owner, 21, { network })).toBe(full);
    const { items } = await inviting.list(asked(owner, { query: { limit: 10 } }));
    expect(items).toEqual([]);
    expect(await invite(owner, 20, { network })).toBe(20);
  });

  test('an organisation and a network each have a limit', async () => {
    const { orgId } = await founded(setup);
    await quotas.setCeiling(tests.in(orgId), 'emails', 50);
    const colleagues = [20, 20, 11].map((count) => ({ count, who: inRole(orgId, 'owner') }));
    const outcomes = [];
    for (const [at, { who, count }] of colleagues.entries())
      outcomes.push(await invite(who, count, { network: `${network}-${at}` }));
    expect(outcomes).toEqual([20, 20, full]);
    const strangers = [];
    for (const count of [20, 20, 11]) strangers.push(await invite((await founded(setup)).owner, count, { network }));
    expect(strangers).toEqual([20, 20, full]);
  });

  test('calls at once send as many invitation emails as calls one after the other', async () => {
    const { owner } = await founded(setup);
    const outcomes = await Promise.all([1, 2, 3].map(() => invite(owner, 9, { network })));
    expect(outcomes.map(String).toSorted()).toEqual(['9', '9', full]);
  });

  test('an account of today that nobody invited sends fewer than one that was invited, or one of yesterday', async () => {
    const [stranger, guest, older] = [await founded(setup), await founded(setup), await founded(setup)];
    const ofEarlierVersion = await founded(setup);
    came(ofEarlierVersion.owner, 2, undefined);
    came(stranger.owner, 2, null);
    came(guest.owner, 2, inviter);
    came(older.owner, 25, null);
    expect(await invite(stranger.owner, 3, { network })).toBe(full);
    expect(await invite(stranger.owner, 2, { network })).toBe(2);
    expect(await invite(guest.owner, 20, { network })).toBe(20);
    expect(await invite(older.owner, 20, { network })).toBe(20);
    expect(await invite(ofEarlierVersion.owner, 3, { network })).toBe(3);
  });

  test('an account of today by the invitation of an organisation of today is new as well', async () => {
    const [fresh, invited] = [await founded(setup), await founded(setup)];
    came(invited.owner, 2, fresh.owner.organisation!.orgId);
    expect(await invite(invited.owner, 3, { network })).toBe(full);
    clock.advance(24 * hourMs);
    const later = await founded(setup);
    came(later.owner, 2, fresh.owner.organisation!.orgId);
    expect(await invite(later.owner, 3, { network })).toBe(3);
  });

  test('a failed call does not count against the limit of emails', async () => {
    const { owner, orgId } = await founded(setup);
    const organisation = mongo.rows(organisationRows).within(tests.in(orgId));
    await organisation.update({}, { $set: { seatLimit: 5 } });
    for (let at = 0; at < 3; at += 1) expect(await invite(owner, 10, { network })).toBe('org.seats-full');
    await organisation.update({}, { $set: { seatLimit: null } });
    expect(await invite(owner, 20, { network })).toBe(20);
  });

  test('resent invitations count, too, unless they fail', async () => {
    const { owner } = await founded(setup);
    came(owner, 1, null);
    await invite(owner, 2, { network });
    const [open] = (await inviting.list(asked(owner, { query: { limit: 1 } }))).items;
    const again = asked(owner, { params: { invitationId: open!.id }, body: { version: open!.version } });
    await expect(inviting.resend(again)).rejects.toMatchObject({ code: full });
    clock.advance(hourMs);
    const old = asked(owner, { params: { invitationId: open!.id }, body: { version: open!.version - 1 } });
    for (let at = 0; at < 3; at += 1)
      await expect(inviting.resend(old)).rejects.toMatchObject({ code: 'platform.conflict' });
    expect(await inviting.resend(again)).toMatchObject({ id: open!.id });
  });

  test('a raised limit of the organisation applies to everyone in it', async () => {
    const { orgId, owner } = await founded(setup);
    came(owner, 1, null);
    await quotas.setCeiling(tests.in(orgId), 'emails', quotaLimits.emails.ceiling + 1);
    expect(await invite(owner, 60, { network })).toBe(60);
    await quotas.setCeiling(tests.in(orgId), 'emails', 60);
    expect(await invite(owner, 1, { network })).toBe(full);
  });

  test('a platform admin is bound by the organisation and the network only', async () => {
    const { orgId } = await founded(setup);
    const { organisation, userId } = inRole(orgId, 'owner');
    const admin = aPerson({ userId, organisation, platformRole: 'admin' });
    came(admin, 1, null);
    expect(await invite(admin, 30, { network, message: 'Welcome' })).toBe(30);
    expect(await invite(admin, 21, { network })).toBe(full);
  });
});

test('own words need a verified address, or an account that is a day old', async () => {
  const { owner } = await founded(setup);
  const message = 'Pay here: https://pay.example';
  came(owner, 23, inviter);
  expect(await invite(owner, 1, { network, message })).toBe('org.message-not-allowed-yet');
  expect(await invite(owner, 1, { network })).toBe(1);
  clock.advance(hourMs);
  expect(await invite(owner, 1, { network, message })).toBe(1);
  const { owner: verified } = await founded(setup);
  came(verified, 0, null);
  proven.add(verified.userId);
  expect(await invite(verified, 1, { network, message })).toBe(1);
});
