import { expect, jest, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Quotas } from '@parley/platform/quotas';
import { Problem } from '@parley/protocol';
import { asked, founded, letSendMany, orgSetup, tests } from '../org.spec-setup.ts';
import { organisationRows } from '../rights/index.ts';
import { EarlierReservations, earlierReservationRows } from './earlier-reservations.ts';
import { InvitationLinks } from './invitation-links.ts';
import { invitationQuota } from './invitation-quota.ts';

const setup = await orgSetup();
const { inviting, memberships, members, clock, mongo, work } = setup;
const quotas = new Quotas(mongo);
const earlier = new EarlierReservations(mongo, memberships, work, clock);
const rest = { role: 'member', groupIds: [], message: null, locale: 'en' as const, days: 7 };
const peopleOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: newId('invitation'), email: `${name}-${at}@lindmoor.example` }));
const invite = (by: PersonPrincipal, people: ReturnType<typeof peopleOf>) =>
  inviting.invite(asked(by, { body: { ...rest, people } }));
/** Returns the number of people invited, or the code of the refusal. */
const outcome = (by: PersonPrincipal, people: ReturnType<typeof peopleOf>) =>
  invite(by, people).then(
    ({ items }) => items.length,
    ({ code }: Problem) => code,
  );
const room = async (by: PersonPrincipal) => {
  const scope = tests.in(by.organisation!.orgId);
  const { used } = await quotas.show(scope, { quota: 'invitations', counted: [invitationQuota] });
  const { held } = await members.seats(asked(by));
  return { used, held };
};

test('a call for which there is no room invites nobody', async () => {
  const { orgId, owner } = await founded(setup);
  await letSendMany(setup, orgId);
  await quotas.setCeiling(tests.in(orgId), 'invitations', 149);
  expect(await outcome(owner, peopleOf('a', 150))).toBe('org.limit-reached');
  await quotas.setCeiling(tests.in(orgId), 'invitations', null);
  const limit = (seatLimit: number) =>
    mongo.rows(organisationRows).within(tests.in(orgId)).update({}, { $set: { seatLimit } });
  await limit(150);
  expect(await outcome(owner, peopleOf('a', 150))).toBe('org.seats-full');
  expect(await room(owner)).toEqual({ used: 0, held: 0 });
  await limit(151);
  expect(await outcome(owner, peopleOf('a', 150))).toBe(150);
});

test('parallel calls fill the free seats, and each lists the people that it left out', async () => {
  const { orgId, owner } = await founded(setup);
  await quotas.setCeiling(tests.in(orgId), 'invitations', 250);
  await letSendMany(setup, orgId);
  const calls = ['a', 'b', 'c', 'd'].map((name) => invite(owner, peopleOf(name, 150)));
  const ended = await Promise.allSettled(calls);
  const answers = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  for (const { items, leftOut } of answers) {
    expect(items.length + leftOut.length).toBe(150);
    expect(leftOut.every(({ verdict }) => verdict === 'taken')).toBe(true);
  }
  const refused = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as Problem] : []));
  expect(refused.every(({ code }) => code === 'org.limit-reached')).toBe(true);
  const invited = answers.reduce((sum, { items }) => sum + items.length, 0);
  expect(invited).toBeGreaterThanOrEqual(150);
  expect(await room(owner)).toEqual({ used: invited, held: invited });
});

test('an address that two calls invite at once is invited by one and left out by the other', async () => {
  const { orgId, owner } = await founded(setup);
  await letSendMany(setup, orgId);
  const answers = await Promise.all([invite(owner, peopleOf('h', 150)), invite(owner, peopleOf('h', 150))]);
  expect(answers.reduce((sum, { items }) => sum + items.length, 0)).toBe(150);
  expect(answers.reduce((sum, { leftOut }) => sum + leftOut.length, 0)).toBe(150);
  expect(await room(owner)).toEqual({ used: 150, held: 150 });
});

test('an organisation with more open invitations than one transaction could read can invite up to its limit', async () => {
  const { orgId, owner } = await founded(setup);
  await letSendMany(setup, orgId);
  await quotas.setCeiling(tests.in(orgId), 'invitations', 1_210);
  for (const name of ['p', 'q', 'r']) await invite(owner, peopleOf(name, 400));
  expect(await outcome(owner, peopleOf('s', 11))).toBe('org.limit-reached');
  expect(await outcome(owner, peopleOf('s', 10))).toBe(10);
  expect(await outcome(owner, peopleOf('t', 1))).toBe('org.limit-reached');
  expect(await room(owner)).toEqual({ used: 1_210, held: 1_210 });
});

test('an id of another organisation refuses the call before anybody is invited', async () => {
  const [one, other] = [await founded(setup), await founded(setup)];
  const [taken] = peopleOf('i', 1);
  await invite(other.owner, [taken!]);
  expect(await outcome(one.owner, [...peopleOf('j', 120), { ...taken!, email: 'k@lindmoor.example' }])).toBe(
    'platform.conflict',
  );
  expect(await room(one.owner)).toEqual({ used: 0, held: 0 });
});

test('an id that is taken during the call leaves its person out, and the answer names them', async () => {
  const [one, other] = [await founded(setup), await founded(setup)];
  await letSendMany(setup, one.orgId);
  const people = peopleOf('m', 150);
  const last = people.at(-1)!;
  const show = jest.spyOn(InvitationLinks.prototype, 'show').mockImplementationOnce(async () => {
    // The first part is there, the second one isn't.
    await invite(other.owner, [{ ...last, email: 'n@lindmoor.example' }]);
    return [];
  });
  try {
    const { items, leftOut } = await invite(one.owner, people);
    expect(leftOut).toEqual([{ email: last.email, verdict: 'taken' }]);
    expect(items.map(({ id }) => id)).toEqual(people.slice(0, -1).map(({ id }) => id));
  } finally {
    show.mockRestore();
  }
  expect(await room(one.owner)).toEqual({ used: 149, held: 149 });
});

test('a repeated call makes nothing again', async () => {
  const { owner } = await founded(setup);
  const people = peopleOf('l', 150);
  await invite(owner, people);
  expect((await invite(owner, people)).items).toHaveLength(150);
  expect(await room(owner)).toEqual({ used: 150, held: 150 });
});

test('the upkeep gives back what a process of 0.4.0 held when it died, and leaves what another one holds', async () => {
  const { orgId, owner } = await founded(setup);
  await invite(owner, peopleOf('o', 10));
  const scope = tests.in(orgId);
  const rows = mongo.rows(earlierReservationRows).within(scope);
  await work.run(owner, (tx) => memberships.hold(scope, tx, 200));
  const minutes = (count: number) => new Date(clock.now().getTime() + count * 60_000);
  await rows.insert({ _id: 'dead', orgId, left: 120, endsAt: minutes(0) });
  await rows.insert({ _id: 'running', orgId, left: 80, endsAt: minutes(10) });
  await Promise.all([earlier.release(), earlier.release()]);
  expect(await room(owner)).toEqual({ used: 10, held: 90 });
  expect([await rows.findById('dead'), (await rows.findById('running'))?.left]).toEqual([null, 80]);
});
