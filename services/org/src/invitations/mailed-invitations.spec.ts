import { beforeEach, expect, test } from '@jest/globals';
import { invitationChanged, type InvitationId, type PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { Platform } from '@parley/platform/service';
import type { OrgId } from '@parley/protocol';
import { aPerson, countCommands, TestJobs } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';
import { asked, founded, letSendMany, orgSetup, tests } from '../org.spec-setup.ts';
import { invitationsToJobs, mailInvitation } from './invitation-job.ts';
import { InvitationMailer } from './invitation-mailer.ts';
import { InvitationsConsumer } from './invitations.consumer.ts';
import { mailEventOf } from './new-invitation.ts';

const setup = await orgSetup();
const { inviting, joining, members } = setup;
/** What auth is asked for, and how many at the same time. */
let isAway = false;
let whileAsked = async (): Promise<unknown> => undefined;
const asks = { bodies: [] as { to: string; organisation: string }[], atOnce: 0, mostAtOnce: 0 };
const peers = {
  async call(_route: unknown, { body }: { body: { eventId: string; to: string; organisation: string } }) {
    if (isAway) throw new Error('away');
    asks.bodies.push(body);
    asks.mostAtOnce = Math.max(asks.mostAtOnce, (asks.atOnce += 1));
    await wait(1);
    await whileAsked();
    asks.atOnce -= 1;
    return { tokenHash: `hash of ${body.eventId}` };
  },
};
const platform = { peers, logger: { warn: () => undefined } } as unknown as Platform;
const { invitations, memberships, clock, mongo, work } = setup;
const consumer = new InvitationsConsumer(invitations, memberships);
const mailer = new InvitationMailer(invitations, memberships, work, platform);
const aProcess = () => new TestJobs(setup).with(mailInvitation, mailer);
const mailAll = () => aProcess().run();
const hear = (events: object[]) => work.run(job('tests'), (tx) => consumer.mail(events as never, { tx } as never));
const requested = (orgId: OrgId, { id: invitationId }: { id: InvitationId }) => ({
  id: newId('event'),
  data: { orgId, invitationId, round: 1 },
});
beforeEach(() => {
  asks.bodies = [];
  isAway = false;
  whileAsked = async () => undefined;
});
const rest = { role: 'guest', groupIds: [], message: null, locale: 'en', days: 7 };
const invite = (by: PersonPrincipal, emails: string[]) =>
  inviting.invite(
    asked(by, { body: { ...rest, people: emails.map((email) => ({ id: newId('invitation'), email })) } }),
  );
const listed = async (by: PersonPrincipal) => (await inviting.list(asked(by, { query: { limit: 50 } }))).items;

test('has auth mail those of many organisations at once, and those that are still open only', async () => {
  const [one, other] = [await founded(setup), await founded(setup)];
  const { items } = await invite(
    one.owner,
    Array.from({ length: 40 }, (_unused, at) => `many${at}@lindmoor.example`),
  );
  const [theirs] = (await invite(other.owner, ['theirs@lindmoor.example'])).items;
  const [revoked, resent] = items;
  await inviting.revoke(asked(one.owner, { params: { invitationId: revoked!.id } }));
  await inviting.resend(asked(one.owner, { params: { invitationId: resent!.id }, body: { version: 1 } }));
  const events = [...items.map((item) => requested(one.orgId, item)), requested(other.orgId, theirs!)];
  expect(await countCommands(() => hear(events))).toBeLessThan(12);
  await mailAll();
  expect(asks.bodies.map(({ to }) => to).toSorted((a, b) => a.localeCompare(b))).toEqual(
    [...items.slice(2).map(({ email }) => email!), 'theirs@lindmoor.example'].toSorted((a, b) => a.localeCompare(b)),
  );
  expect(asks.mostAtOnce).toBeLessThanOrEqual(16);
  // What a browser has read stays the newest version.
  expect(await setup.invitations.find(tests.in(other.orgId), theirs!.id)).toMatchObject({
    tokenHash: `hash of ${mailEventOf(theirs!.id, 1)}`,
    version: 1,
  });
});

test('two processes that look at the same time ask for each mail once', async () => {
  const { orgId, owner } = await founded(setup);
  const emails = Array.from({ length: 8 }, (_unused, at) => `once${at}@lindmoor.example`);
  const { items } = await invite(owner, emails);
  await hear(items.map((item) => requested(orgId, item)));
  await Promise.all([mailAll(), mailAll()]);
  expect(asks.bodies.map(({ to }) => to).toSorted()).toEqual(emails);
});

test('the many of one organisation keep those of another waiting for one turn', async () => {
  const [flood, other] = [await founded(setup), await founded(setup)];
  await letSendMany(setup, flood.orgId);
  const { items } = await invite(
    flood.owner,
    Array.from({ length: 300 }, (_unused, at) => `flood${at}@lindmoor.example`),
  );
  const [theirs] = (await invite(other.owner, ['patient@lindmoor.example'])).items;
  await hear(items.map((item) => requested(flood.orgId, item)));
  await hear([requested(other.orgId, theirs!)]);
  await mailAll();
  const order = asks.bodies.map(({ to }) => to);
  expect(order).toHaveLength(301);
  expect(order.indexOf('patient@lindmoor.example')).toBeLessThan(50);
});

test('what auth was not asked for, since it was away, is asked for again, for the same mail', async () => {
  const { orgId, owner } = await founded(setup);
  const [invitation] = (await invite(owner, ['later@lindmoor.example'])).items;
  const event = requested(orgId, invitation!);
  isAway = true;
  await hear([event]);
  await mailAll();
  expect(asks.bodies).toEqual([]);
  isAway = false;
  clock.advance(2_001);
  await mailAll();
  expect(asks.bodies).toMatchObject([{ to: 'later@lindmoor.example', eventId: mailEventOf(invitation!.id, 1) }]);
  await mailAll();
  expect(asks.bodies).toHaveLength(1);
});

test('an invitation that is resent while auth is asked does not get the secret of its earlier mail', async () => {
  const { orgId, owner } = await founded(setup);
  const [invitation] = (await invite(owner, ['again@lindmoor.example'])).items;
  await hear([requested(orgId, invitation!)]);
  const { id: invitationId } = invitation!;
  whileAsked = () => inviting.resend(asked(owner, { params: { invitationId }, body: { version: 1 } }));
  await mailAll();
  const row = await invitations.find(tests.in(orgId), invitationId);
  expect(row?.round).toBe(2);
  expect(row?.tokenHash).not.toBe(`hash of ${mailEventOf(invitationId, 1)}`);
});

test('an invitation is said to have failed when auth could not be asked for a day, and only then', async () => {
  const { orgId, owner } = await founded(setup);
  const [invitation] = (await invite(owner, ['never@lindmoor.example'])).items;
  await hear([requested(orgId, invitation!)]);
  isAway = true;
  await mailAll();
  const state = async () => (await listed(owner))[0]?.mail;
  expect(await state()).toBe('waiting');
  const jobs = mongo.connection.collection<{ _id: string }>('jobs');
  await jobs.updateOne(
    { _id: `mail-invitation/${invitation!.id}` },
    { $set: { attempts: mailInvitation.attempts - 1 } },
  );
  clock.advance(60_000);
  await mailAll();
  expect(await state()).toBe('failed');
});

test('invitations that an earlier version was to have mailed are mailed, also where the migration is interrupted', async () => {
  const { orgId, owner } = await founded(setup);
  const { items } = await invite(owner, ['before@lindmoor.example', 'mailed@lindmoor.example']);
  const rows = mongo.connection.collection<{ _id: string }>('invitations');
  const waiting = { mailEventId: mailEventOf(items[0]!.id, 1), mailDueAt: clock.now(), mailFlow: orgId };
  await rows.updateOne({ _id: items[0]!.id }, { $set: waiting });
  for (const migration of [invitationsToJobs, invitationsToJobs])
    for (let cursor = await migration.batch(mongo, null); cursor !== null;)
      cursor = await migration.batch(mongo, cursor);
  await mailAll();
  expect(asks.bodies).toMatchObject([{ to: 'before@lindmoor.example', eventId: mailEventOf(items[0]!.id, 1) }]);
});

test('says how it goes with its newest mail', async () => {
  const { orgId, owner } = await founded(setup);
  const [invitation] = (await invite(owner, ['bounces@lindmoor.example'])).items;
  const ended = (round: number, state: 'sent' | 'failed') =>
    work.run(job('tests'), (tx) =>
      consumer.noteMail(
        { data: { invitation: { orgId, invitationId: invitation!.id, round }, state } } as never,
        { tx } as never,
      ),
    );
  const state = async () => (await listed(owner))[0]?.mail;
  expect(await state()).toBe('waiting');
  await ended(1, 'failed');
  expect(await state()).toBe('failed');
  const { version } = (await setup.invitations.find(tests.in(orgId), invitation!.id))!;
  await inviting.resend(asked(owner, { params: { invitationId: invitation!.id }, body: { version } }));
  await ended(1, 'sent');
  expect(await state()).toBe('waiting');
  await ended(2, 'sent');
  expect(await state()).toBe('sent');
});

test('whoever comes in by a link ends the mail that went to the same address, and frees the seat that it held', async () => {
  const { owner } = await founded(setup);
  await invite(owner, ['twice@lindmoor.example', 'other@lindmoor.example']);
  const made = {
    id: newId('invitation'),
    label: 'Field',
    role: 'guest',
    groupIds: [],
    domain: null,
    places: 2,
    days: 7,
  };
  const { token } = await inviting.makeLink(asked(owner, { body: made }));
  const person = aPerson();
  setup.addresses.set(person.userId, 'twice@lindmoor.example');
  await joining.accept(asked(person, { body: { token } }));
  expect(await members.seats(asked(owner))).toMatchObject({ used: 2, held: 1 });
  const items = await listed(owner);
  expect(items.filter(({ kind }) => kind === 'mail').map(({ email }) => email)).toEqual(['other@lindmoor.example']);
  const over = (await setup.recorded()).filter(({ type }) => type === invitationChanged.type).slice(-2);
  // The service that shows or mails its link reads this; it says nothing of the person who came in.
  expect(over.map(({ data }) => data)).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: 'mail', change: 'accepted', userId: null })]),
  );
});
