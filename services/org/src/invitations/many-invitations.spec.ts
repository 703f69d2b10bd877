import { expect, jest, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Quotas } from '@parley/platform/quotas';
import { Problem } from '@parley/protocol';
import { asked, founded, letSendMany, orgSetup, tests } from '../org.spec-setup.ts';
import { organisationRows } from '../rights/index.ts';
import { invitationReservationRows } from './invitation-reservation.collection.ts';
import { InvitationLinks } from './invitation-links.ts';
import { invitationQuota } from './invitation-quota.ts';

const setup = await orgSetup();
const { inviting, reservations, members, clock, mongo, work } = setup;
const quotas = new Quotas(mongo);
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
const counted = (outcomes: readonly (number | string)[]) =>
  Object.fromEntries([...Map.groupBy(outcomes, String)].map(([each, all]) => [each, all.length]));
const room = async (by: PersonPrincipal) => {
  const scope = tests.in(by.organisation!.orgId);
  const { used } = await quotas.read(scope, { quota: 'invitations' });
  const { held } = await members.seats(asked(by));
  const left = await mongo.rows(invitationReservationRows).within(scope).count({});
  return { used, held, counted: await invitationQuota.count(mongo, scope), left };
};

test('calls at once that are refused invite nobody', async () => {
  const { orgId, owner } = await founded(setup);
  await quotas.setCeiling(tests.in(orgId), 'invitations', 250);
  await letSendMany(setup, orgId);
  const outcomes = await Promise.all(['a', 'b', 'c', 'd'].map((name) => outcome(owner, peopleOf(name, 150))));
  expect(counted(outcomes)).toEqual({ 150: 1, 'org.limit-reached': 3 });
  expect(await room(owner)).toEqual({ used: 150, held: 150, counted: 150, left: 0 });
});

test('calls at once for which there are too few seats invite nobody', async () => {
  const { orgId, owner } = await founded(setup);
  await letSendMany(setup, orgId);
  await mongo
    .rows(organisationRows)
    .within(tests.in(orgId))
    .update({}, { $set: { seatLimit: 200 } });
  const outcomes = await Promise.all(['e', 'f', 'g'].map((name) => outcome(owner, peopleOf(name, 150))));
  expect(counted(outcomes)).toEqual({ 150: 1, 'org.seats-full': 2 });
  expect(await room(owner)).toEqual({ used: 150, held: 150, counted: 150, left: 0 });
});

test('an address that two calls invite at once is invited by one and left out by the other', async () => {
  const { orgId, owner } = await founded(setup);
  await letSendMany(setup, orgId);
  const answers = await Promise.all([invite(owner, peopleOf('h', 150)), invite(owner, peopleOf('h', 150))]);
  expect(answers.reduce((sum, { items }) => sum + items.length, 0)).toBe(150);
  expect(answers.reduce((sum, { leftOut }) => sum + leftOut.length, 0)).toBe(150);
  expect(await room(owner)).toEqual({ used: 150, held: 150, counted: 150, left: 0 });
});

test('an id of another organisation refuses the call before anybody is invited', async () => {
  const [one, other] = [await founded(setup), await founded(setup)];
  const [taken] = peopleOf('i', 1);
  await invite(other.owner, [taken!]);
  expect(await outcome(one.owner, [...peopleOf('j', 120), { ...taken!, email: 'k@lindmoor.example' }])).toBe(
    'platform.conflict',
  );
  expect(await room(one.owner)).toEqual({ used: 0, held: 0, counted: 0, left: 0 });
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
  expect(await room(one.owner)).toEqual({ used: 149, held: 149, counted: 149, left: 0 });
});

test('a repeated call makes nothing again, and gives back what a first one held', async () => {
  const { owner } = await founded(setup);
  const people = peopleOf('l', 150);
  await invite(owner, people);
  expect((await invite(owner, people)).items).toHaveLength(150);
  expect(await room(owner)).toEqual({ used: 150, held: 150, counted: 150, left: 0 });
});

test('the room that a process held when it died is given back', async () => {
  const { orgId, owner } = await founded(setup);
  const scope = tests.in(orgId);
  const id = await work.run(owner, (tx) => reservations.hold(scope, tx, 300));
  await work.run(owner, (tx) => reservations.use(scope, tx, { id, count: 100 }));
  await reservations.releaseOverdue();
  expect(await room(owner)).toEqual({ used: 300, held: 300, counted: 200, left: 1 });
  clock.advance(10 * 60_000);
  await reservations.releaseOverdue();
  expect(await room(owner)).toEqual({ used: 100, held: 100, counted: 0, left: 0 });
  await expect(work.run(owner, (tx) => reservations.use(scope, tx, { id, count: 1 }))).rejects.toMatchObject({
    code: 'platform.unavailable',
  });
});
