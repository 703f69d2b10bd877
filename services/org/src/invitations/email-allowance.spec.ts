import { beforeEach, describe, expect, test } from '@jest/globals';
import { networkHeader, Problem, type PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Stocks } from '@parley/platform/stocks';
import { aPerson } from '@parley/testing';
import { asked, founded, inRole, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { inviting, arrivals, proven, clock, mongo } = setup;
const stocks = new Stocks(mongo);
const hourMs = 3_600_000;
const rest = { role: 'guest', groupIds: [], message: null, locale: 'en' as const, days: 7 };
let addresses = 0;
const people = (count: number) =>
  Array.from({ length: count }, () => ({
    id: newId('invitation'),
    email: `mail-${(addresses += 1)}@lindmoor.example`,
  }));
const from = (network: string) => ({ header: (name: string) => (name === networkHeader ? network : undefined) });
/** How many it invited, or the code that refused it. */
const invite = (
  by: PersonPrincipal,
  count: number,
  { network = '192.0.2.0/24', message = null as string | null } = {},
) =>
  inviting.invite(asked(by, { body: { ...rest, message, people: people(count) }, request: from(network) })).then(
    ({ items }) => items.length,
    ({ code }: Problem) => code,
  );
const came = ({ userId }: PersonPrincipal, hoursAgo: number, isInvited: boolean) =>
  arrivals.set(userId, { createdAt: new Date(clock.now().getTime() - hoursAgo * hourMs), isInvited });
const full = 'org.email-limit-reached';
/** Another network for each test. */
let networks = 0;
let network: string;
// At the beginning of an hour: no test reaches over its end unless it says so.
beforeEach(() => {
  clock.advance(hourMs - (clock.now().getTime() % hourMs));
  network = `203.0.${(networks += 1)}.0/24`;
});

describe('in an hour', () => {
  test('a person sends 200 emails, whatever their organisations, and in the next one again', async () => {
    const one = await founded(setup);
    const other = { ...(await founded(setup)) };
    const elsewhere = inRole(other.orgId, 'owner', one.owner.userId);
    expect(await invite(one.owner, 120, { network })).toBe(120);
    expect(await invite(elsewhere, 81, { network })).toBe(full);
    expect(await invite(elsewhere, 80, { network })).toBe(80);
    expect(await invite(one.owner, 1, { network })).toBe(full);
    clock.advance(hourMs);
    expect(await invite(one.owner, 1, { network })).toBe(1);
  });

  test('a refused call counts nothing and invites nobody', async () => {
    const { owner, orgId } = await founded(setup);
    expect(await invite(owner, 201, { network })).toBe(full);
    const { items } = await inviting.list(asked(owner, { query: { limit: 10 } }));
    expect(items).toEqual([]);
    expect((await stocks.read(tests.in(orgId), { stock: 'emails' })).used).toBe(0);
    expect(await invite(owner, 200, { network })).toBe(200);
  });

  test('an organisation has 500 sent, and a network 500', async () => {
    const { orgId } = await founded(setup);
    const colleagues = [200, 200, 101].map((count) => ({ count, who: inRole(orgId, 'owner') }));
    const outcomes = [];
    for (const [at, { who, count }] of colleagues.entries())
      outcomes.push(await invite(who, count, { network: `${network}-${at}` }));
    expect(outcomes).toEqual([200, 200, full]);
    const strangers = [];
    for (const count of [200, 200, 101]) strangers.push(await invite((await founded(setup)).owner, count, { network }));
    expect(strangers).toEqual([200, 200, full]);
  });

  test('at once as much as one after the other', async () => {
    const { owner } = await founded(setup);
    const outcomes = await Promise.all([1, 2, 3].map(() => invite(owner, 90, { network })));
    expect(outcomes.map(String).toSorted()).toEqual(['90', '90', full]);
  });

  test('an account of today that nobody invited sends 20; one that was invited, and one of yesterday, 200', async () => {
    const [stranger, guest, older] = [await founded(setup), await founded(setup), await founded(setup)];
    came(stranger.owner, 2, false);
    came(guest.owner, 2, true);
    came(older.owner, 25, false);
    expect(await invite(stranger.owner, 21, { network })).toBe(full);
    expect(await invite(stranger.owner, 20, { network })).toBe(20);
    expect(await invite(guest.owner, 21, { network })).toBe(21);
    expect(await invite(older.owner, 21, { network })).toBe(21);
  });

  test('what is sent again counts, too', async () => {
    const { owner } = await founded(setup);
    came(owner, 1, false);
    await invite(owner, 20, { network });
    const [open] = (await inviting.list(asked(owner, { query: { limit: 1 } }))).items;
    const again = asked(owner, { params: { invitationId: open!.id }, body: { version: open!.version } });
    await expect(inviting.resend(again)).rejects.toMatchObject({ code: full });
    clock.advance(hourMs);
    expect(await inviting.resend(again)).toMatchObject({ id: open!.id });
  });

  test('an organisation that a platform admin allows more sends more, whoever does', async () => {
    const { orgId, owner } = await founded(setup);
    came(owner, 1, false);
    await stocks.setCeiling(tests.in(orgId), 'emails', 600);
    expect(await invite(owner, 450, { network })).toBe(450);
    expect(await invite(owner, 151, { network })).toBe(full);
    expect(await invite(owner, 150, { network })).toBe(150);
  });

  test('a platform admin is bound by the organisation and the network only', async () => {
    const { orgId } = await founded(setup);
    const { organisation, userId } = inRole(orgId, 'owner');
    const admin = aPerson({ userId, organisation, platformRole: 'admin' });
    came(admin, 1, false);
    expect(await invite(admin, 300, { network, message: 'Welcome' })).toBe(300);
    expect(await invite(admin, 201, { network })).toBe(full);
  });
});

test('own words need a verified address, or an account that is a day old', async () => {
  const { owner } = await founded(setup);
  const message = 'Pay here: https://pay.example';
  came(owner, 23, true);
  expect(await invite(owner, 1, { network, message })).toBe('org.message-not-allowed-yet');
  expect(await invite(owner, 1, { network })).toBe(1);
  clock.advance(hourMs);
  expect(await invite(owner, 1, { network, message })).toBe(1);
  const { owner: verified } = await founded(setup);
  came(verified, 0, false);
  proven.add(verified.userId);
  expect(await invite(verified, 1, { network, message })).toBe(1);
});
