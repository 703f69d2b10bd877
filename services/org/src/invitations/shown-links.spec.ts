import { beforeEach, expect, test } from '@jest/globals';
import { invitationChanged, type Invitation, type MailState, type PersonPrincipal } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { aPerson, countCommands } from '@parley/testing';
import { asked, founded, letSendMany, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { auth, inviting, joining, views } = setup;
const rest = { role: 'member', groupIds: [], message: null, locale: 'en', days: 7 };
let addresses = 0;
const anAddress = (): string => `shown${(addresses += 1)}@lindmoor.example`;
const bodyFor = (...emails: string[]) => ({
  ...rest,
  people: emails.map((email) => ({ id: newId('invitation'), email })),
});
const look = (token: string) => views.view({ body: { token } } as never);
const check = (token: string) => joining.check({ body: { token } } as never);
beforeEach(() => void Object.assign(auth, { sendsMail: false, isAway: false }));

/** As auth and its events tell of the mail. */
async function mailed(by: PersonPrincipal, { id }: Invitation, mail: MailState): Promise<void> {
  await setup.invitations.within(tests.in(by.organisation!.orgId)).update({ _id: id }, { $set: { mail } });
}
async function accepted(email: string, token: string) {
  const person = aPerson();
  setup.addresses.set(person.userId, email);
  await joining.accept(asked(person, { body: { token } }));
  const told = (await setup.recorded()).filter(({ type }) => type === invitationChanged.type);
  return told
    .map(({ data }) => data as { userId: unknown; provesAddress?: boolean })
    .find(({ userId }) => userId === person.userId);
}

test('without a mail server each link is in the answer of who invites, once', async () => {
  const { owner } = await founded(setup);
  const body = bodyFor(anAddress(), anAddress());
  const { items, links = [] } = await inviting.invite(asked(owner, { body }));
  expect(links.map(({ invitationId }) => invitationId)).toEqual(items.map(({ id }) => id));
  expect(await look(links[1]!.token)).toMatchObject({ state: 'open', email: items[1]!.email });
  expect((await inviting.invite(asked(owner, { body }))).links).toEqual([]);
  expect(
    JSON.stringify([await setup.recorded(), await inviting.list(asked(owner, { query: { limit: 50 } }))]),
  ).not.toContain(links[0]!.token);
});

test('with a mail server, or while auth is away, there is none, and the invitation is made all the same', async () => {
  const { owner } = await founded(setup);
  auth.sendsMail = true;
  expect(await inviting.invite(asked(owner, { body: bodyFor(anAddress()) }))).toMatchObject({ links: [], leftOut: [] });
  auth.isAway = true;
  const { items, links } = await inviting.invite(asked(owner, { body: bodyFor(anAddress()) }));
  expect([items.length, links]).toEqual([1, []]);
});

test('a link that was shown verifies nothing, also when its mail goes out after all', async () => {
  const { owner } = await founded(setup);
  const email = anAddress();
  const { items, links = [] } = await inviting.invite(asked(owner, { body: bodyFor(email) }));
  await mailed(owner, items[0]!, 'sent');
  expect(await check(links[0]!.token)).toMatchObject({ email, provesAddress: false });
  expect(await accepted(email, links[0]!.token)).toMatchObject({ change: 'accepted', provesAddress: false });
});

test('a link that was kept or refused verifies nothing; one that was mailed, and shown to nobody, does', async () => {
  auth.sendsMail = true;
  const { orgId, owner } = await founded(setup);
  for (const mail of ['waiting', 'kept', 'failed', 'sent'] as const) {
    const email = anAddress();
    const { items } = await inviting.invite(asked(owner, { body: bodyFor(email) }));
    const token = `token ${email}`;
    await setup.invitations.within(tests.in(orgId)).update({ email }, { $set: { tokenHash: hashSecret(token) } });
    await mailed(owner, items[0]!, mail);
    const provesAddress = mail === 'sent';
    expect(await check(token)).toMatchObject({ provesAddress });
    expect(await accepted(email, token)).toMatchObject({ provesAddress });
  }
});

test('sent again with a mail server, the new link verifies, since nobody was shown it', async () => {
  const { orgId, owner } = await founded(setup);
  const email = anAddress();
  const { items, links = [] } = await inviting.invite(asked(owner, { body: bodyFor(email) }));
  const resend = (version: number) =>
    inviting.resend(asked(owner, { params: { invitationId: items[0]!.id }, body: { version } }));
  const { link, version } = await resend(1);
  await expect(look(links[0]!.token)).rejects.toMatchObject({ code: 'org.invitation-not-found' });
  expect(await check(link!.token)).toMatchObject({ provesAddress: false });
  auth.sendsMail = true;
  expect((await resend(version)).link).toBeNull();
  await setup.invitations.within(tests.in(orgId)).update({ email }, { $set: { tokenHash: hashSecret('mailed') } });
  await mailed(owner, items[0]!, 'sent');
  expect(await check('mailed')).toMatchObject({ provesAddress: true });
});

test('who was shown the link does not learn by it whether there is an account', async () => {
  const { owner } = await founded(setup);
  const email = anAddress();
  setup.addresses.set(newId('user'), email);
  const { links = [] } = await inviting.invite(asked(owner, { body: bodyFor(email) }));
  expect(await look(links[0]!.token)).toMatchObject({ state: 'open', email, hasAccount: null });
});

test('500 links take a few commands', async () => {
  const { orgId, owner } = await founded(setup);
  await letSendMany(setup, orgId);
  const body = bodyFor(...Array.from({ length: 500 }, anAddress));
  let links: unknown[] = [];
  const commands = await countCommands(async () => {
    links = (await inviting.invite(asked(owner, { body }))).links ?? [];
  });
  expect(links).toHaveLength(500);
  expect(commands).toBeLessThan(110);
}, 60_000);
