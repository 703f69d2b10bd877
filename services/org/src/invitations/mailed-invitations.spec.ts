import { expect, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import { aPerson } from '@parley/testing';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { InvitationsConsumer } from './invitations.consumer.ts';

const setup = await orgSetup();
const { inviting, joining, members } = setup;
const consumer = new InvitationsConsumer(setup.invitations, setup.memberships, setup.people, setup.audit, {} as never);
const rest = { role: 'guest', groupIds: [], message: null, locale: 'en', days: 7 };
const invite = (by: PersonPrincipal, emails: string[]) =>
  inviting.invite(
    asked(by, { body: { ...rest, people: emails.map((email) => ({ id: newId('invitation'), email })) } }),
  );
const listed = async (by: PersonPrincipal) => (await inviting.list(asked(by, { query: { limit: 50 } }))).items;

test('says how it goes with its newest mail', async () => {
  const { orgId, owner } = await founded(setup);
  const [invitation] = (await invite(owner, ['bounces@lindmoor.example'])).items;
  const ended = (round: number, state: 'sent' | 'failed') =>
    setup.work.run(job('tests'), (tx) =>
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
});

test('that a platform admin has looked at its link stands in the audit log', async () => {
  const { orgId, owner } = await founded(setup);
  const [invitation] = (await invite(owner, ['handed@lindmoor.example'])).items;
  const revealedBy = newId('user');
  const data = { revealedBy, reason: 'No mail server yet' };
  const tell = (about: object | null) =>
    setup.work.run(job('tests'), (tx) =>
      consumer.writeShown(
        { data: { ...data, invitation: about }, time: '2026-11-21T10:42:00.000Z' } as never,
        { tx } as never,
      ),
    );
  await tell({ orgId, invitationId: invitation!.id, round: 1 });
  await tell(null);
  const { items } = await setup.audit.list(asked(owner, { query: { limit: 50, act: 'invitation.link-shown' } }));
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    actor: { userId: revealedBy },
    target: { name: 'handed@lindmoor.example' },
    reason: 'No mail server yet',
  });
});
