import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { SmtpTestServer } from '@parley/testing/servers';
import { newPerson, password, startTestParley, type TestParley } from '@parley/embedded/test-parley';

const invitedAs = { role: 'member' as const, groupIds: [], message: null, locale: 'en' as const };
const invite = (by: ParleyClient, emails: readonly string[], more: { message?: string } = {}) =>
  by.call('POST /api/org/invitations', {
    body: { ...invitedAs, ...more, people: emails.map((email) => ({ id: newId('invitation'), email })) },
  });
const tokenOf = (link: string): string => link.split('#')[1] ?? '';

async function setUp(settings: Record<string, string> = {}) {
  const running = await startTestParley(settings);
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  const admin = await newPerson(running.url, { setupToken });
  return { running, admin };
}

/** What the address is good for elsewhere: another organisation has invited it and made a link for its domain. */
async function elsewhere(running: TestParley, email: string) {
  const other = await newPerson(running.url, { organisation: 'Fennick Clinics' });
  const { items } = await invite(other, [email]);
  const link = { id: newId('invitation'), label: 'All', domain: email.split('@')[1]!, places: 5, days: 7 };
  const { token } = await other.call('POST /api/org/invitation-links', {
    body: { ...link, role: 'member', groupIds: [] },
  });
  return { invitationId: items[0]!.id, domainToken: token };
}

/** Registers by the secret, joins, and waits until auth has heard of it. */
async function join(running: TestParley, email: string, token: string): Promise<ParleyClient> {
  const person = new ParleyClient(running.url);
  await person.register({ name: 'Runa Fjelder', email, password, invitation: token });
  await person.call('POST /api/org/my-invitations/accept', { body: { token } });
  return person;
}

describe('without a mail server', () => {
  let running: TestParley;
  let admin: ParleyClient;
  beforeAll(async () => ({ running, admin } = await setUp()), 60_000);
  afterAll(() => running.close());

  /** What is used is withdrawn in the log by the same event that would verify the address. */
  const isHeard = (email: string) =>
    eventually(async () => {
      const { items } = await admin.call('GET /api/auth/mails', { query: { limit: 100 } });
      const used = items.filter(({ to, kind }) => to === email && kind === 'invitation');
      expect(used.filter(({ linkEndsAt }) => linkEndsAt !== null)).toHaveLength(1);
    }, 'the used link should be gone from the mail log, the open one not');

  async function opensNothing(person: ParleyClient, other: Awaited<ReturnType<typeof elsewhere>>): Promise<void> {
    expect((await person.call('GET /api/auth/me')).isProven).toBe(false);
    expect((await person.call('GET /api/org/my-invitations')).items).toEqual([]);
    const { invitationId, domainToken } = other;
    await expect(
      person.call('POST /api/org/my-invitations/:invitationId/accept', { params: { invitationId } }),
    ).rejects.toMatchObject({ status: 404, problem: { code: 'org.invitation-not-found' } });
    await expect(
      person.call('POST /api/org/my-invitations/accept', { body: { token: domainToken } }),
    ).rejects.toMatchObject({ problem: { code: 'org.address-not-proven' } });
  }

  test("who registers a stranger's address with a copied link opens nothing of another organisation", async () => {
    const email = 'victim@lindmoor.example';
    const other = await elsewhere(running, email);
    const owner = await newPerson(running.url, { organisation: 'Mallory' });
    const { links = [] } = await invite(owner, [email]);
    expect(links).toHaveLength(1);
    const { token } = links[0]!;
    const seen = await new ParleyClient(running.url).call('POST /api/org/invitations/view', { body: { token } });
    expect(seen).toMatchObject({ state: 'open', email, hasAccount: null });
    const person = await join(running, email, token);
    await isHeard(email);
    await opensNothing(person, other);
  });

  test('a link that a platform admin hands over opens nothing either, and is not offered once it was used', async () => {
    const email = 'handed@lindmoor.example';
    const other = await elsewhere(running, email);
    const owner = await newPerson(running.url, { organisation: 'Lindmoor Energy' });
    await invite(owner, [email]);
    const kept = async () =>
      (await admin.call('GET /api/auth/mails', { query: { limit: 100 } })).items.filter(({ to }) => to === email);
    await eventually(async () => expect((await kept()).map(({ state }) => state)).toEqual(['kept', 'kept']), 'kept');
    // The newest one.
    const mailId = (await kept())[0]!.id;
    const shown = { params: { mailId }, body: { reason: 'Asked me for it' } };
    const { link } = await admin.call('POST /api/auth/mails/:mailId/link', shown);
    const person = await join(running, email, tokenOf(link));
    await isHeard(email);
    await opensNothing(person, other);
    await expect(admin.call('POST /api/auth/mails/:mailId/link', shown)).rejects.toMatchObject({ status: 410 });
  });

  test('links are shown once, to who may invite, and stand in no list, log of acts or event', async () => {
    const owner = await newPerson(running.url, { organisation: 'Once' });
    const people = [{ id: newId('invitation'), email: 'once@lindmoor.example' }];
    const body = { ...invitedAs, people };
    const [first, again] = [
      await owner.call('POST /api/org/invitations', { body }),
      await owner.call('POST /api/org/invitations', { body }),
    ];
    expect([first.links?.length, again.links]).toEqual([1, []]);
    const { token } = first.links![0]!;
    const told = [
      await owner.call('GET /api/org/invitations'),
      await owner.call('GET /api/org/audit'),
      await admin.call('GET /api/auth/mails'),
    ];
    expect(JSON.stringify(told)).not.toContain(token);
    // Its version counts until its mail is kept.
    const { id: invitationId, version } = await eventually(async () => {
      const { items } = await owner.call('GET /api/org/invitations');
      expect(items[0]?.mail).toBe('kept');
      return items[0]!;
    }, 'its mail should be kept');
    const resent = await owner.call('POST /api/org/invitations/:invitationId/resend', {
      params: { invitationId },
      body: { version },
    });
    const look = (secret: string) =>
      new ParleyClient(running.url).call('POST /api/org/invitations/view', { body: { token: secret } });
    await expect(look(token)).rejects.toMatchObject({ status: 404 });
    expect(await look(resent.link!.token)).toMatchObject({ state: 'open', email: 'once@lindmoor.example' });
    // What goes on in the background later leaves that link alone.
    await eventually(async () => {
      const { items } = await owner.call('GET /api/org/invitations');
      expect(items[0]?.mail).toBe('kept');
    }, 'its mail should be kept');
    expect(await look(resent.link!.token)).toMatchObject({ state: 'open' });
    const person = await join(running, 'once@lindmoor.example', resent.link!.token);
    expect((await person.call('GET /api/auth/me')).isProven).toBe(false);
  });

  test('more people than one batch takes get a link each', async () => {
    // A new account can invite 20 people on its first day.
    const owner = admin.copy();
    await owner.createOrganisation('Many');
    const emails = Array.from({ length: 120 }, (_unused, at) => `many${at}@lindmoor.example`);
    const { items, links = [] } = await invite(owner, emails);
    expect(new Set(links.map(({ token }) => token)).size).toBe(120);
    expect(links.map(({ invitationId }) => invitationId)).toEqual(items.map(({ id }) => id));
  }, 60_000);

  test('the first owner of an organisation gets a link from the platform admin', async () => {
    const owner = { invitationId: newId('invitation'), email: 'first@lindmoor.example' };
    const made = { id: newId('organisation'), name: 'Provisioned', owner, locale: 'en' as const, seatLimit: null };
    const { link, id: orgId } = await admin.call('POST /api/org/all-organisations', { body: made });
    const person = await join(running, owner.email, link!.token);
    expect((await person.call('GET /api/org/organisations')).items).toMatchObject([{ id: orgId, role: 'owner' }]);
  });
});

test('with a mail server no link is shown; the mail has the message, and its link verifies the address', async () => {
  const smtp = await SmtpTestServer.start({ noTls: true, login: 'parley:secret' });
  const { running, admin: owner } = await setUp({
    PARLEY_SMTP_URL: `smtp://parley:secret@127.0.0.1:${smtp.port}?tls=none`,
    PARLEY_MAIL_FROM: 'Parley <no-reply@parley.example>',
  });
  try {
    const email = 'mailed@lindmoor.example';
    const other = await elsewhere(running, email);
    await owner.createOrganisation('Lindmoor Energy');
    const message = 'Welcome to Field south.\nStart with Grid Engineer.';
    const { items, links } = await invite(owner, [email], { message });
    expect(links).toEqual([]);
    await eventually(async () => {
      const open = (await owner.call('GET /api/org/invitations')).items;
      expect(open.find(({ id }) => id === items[0]!.id)?.mail).toBe('sent');
    }, 'the invitation should be sent');
    const raw = smtp.mails.map((mail) => mail.raw.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '='));
    const mail = raw.find((text) => text.includes('Lindmoor Energy') && text.includes(`To: ${email}`)) ?? '';
    for (const line of message.split('\n')) expect(mail).toContain(`> ${line}`);
    const person = await join(running, email, /invitation#([\w-]{43})/.exec(mail)?.[1] ?? '');
    expect((await person.call('GET /api/auth/me')).isProven).toBe(true);
    expect((await person.call('GET /api/org/my-invitations')).items).toMatchObject([{ id: other.invitationId }]);
    await person.call('POST /api/org/my-invitations/accept', { body: { token: other.domainToken } });
  } finally {
    await running.close();
    await smtp.stop();
  }
}, 60_000);
