import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { InvitationView, Member } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { ServerResponse } from 'node:http';
import {
  newPerson,
  password,
  startMockProvider,
  startTestParley,
  token as word,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

let running: TestParley;
let admin: ParleyClient;
let mock: MockProvider;
/** Answers that are being written: nothing ends them but Parley. */
const open: ServerResponse[] = [];

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write(word('Half'));
    open.push(response);
  });
  running = await startTestParley({ PARLEY_REGISTRATION: 'invitation', PARLEY_OUTBOUND_ALLOW: mock.address });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  admin = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
  const model = { baseUrl: mock.url, models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  await admin.call('POST /api/chat/providers', { body: { id: newId('provider'), name: 'Mock', ...model } });
}, 90_000);
afterAll(async () => {
  for (const response of open) response.end();
  await running.close();
  mock.close();
});

async function invited(email: string): Promise<string> {
  const people = [{ id: newId('invitation'), email }];
  const body = { people, role: 'member' as const, groupIds: [], message: 'Welcome', locale: 'en' as const };
  await admin.call('POST /api/org/invitations', { body });
  const mail = await eventually(async () => {
    const { items } = await admin.call('GET /api/auth/mails');
    const found = items.find(({ to, state }) => to === email && state === 'kept');
    if (!found) throw new Error('not yet');
    return found;
  }, 'the mail should be kept for the platform admin');
  expect(mail.kind).toBe('invitation');
  const shown = { params: { mailId: mail.id }, body: { reason: 'No mail server yet' } };
  const { link } = await admin.call('POST /api/auth/mails/:mailId/link', shown);
  await eventually(async () => {
    const { items } = await admin.call('GET /api/org/invitations');
    expect(items.find((item) => item.email === email)?.mail).toBe('kept');
  }, 'the invitation should be sent');
  expect(link).toContain(`${running.url}/en/invitation#`);
  return link.split('#')[1] ?? '';
}
const look = (token: string): Promise<InvitationView> =>
  new ParleyClient(running.url).call('POST /api/org/invitations/view', { body: { token } });
const memberOf = async (email: string): Promise<Member | undefined> =>
  (await admin.call('GET /api/org/members')).items.find((member) => member.email === email);

async function joins(email: string): Promise<ParleyClient> {
  const invitation = await invited(email);
  const person = new ParleyClient(running.url);
  await person.register({ name: 'Runa Fjelder', email, password, invitation });
  const { id } = await person.call('POST /api/org/my-invitations/accept', { body: { token: invitation } });
  person.orgId = id;
  return person;
}

test('invited, registered and in: the seat is used, the link is over', async () => {
  const email = 'runa@lindmoor.example';
  const token = await invited(email);
  expect(await look(token)).toMatchObject({ state: 'open', email, organisation: 'Lindmoor Energy' });
  const stranger = new ParleyClient(running.url);
  await expect(
    stranger.register({ name: 'Else', email: 'else@lindmoor.example', password, invitation: token }),
  ).rejects.toMatchObject({ status: 403 });
  const person = new ParleyClient(running.url);
  await person.register({ name: 'Runa Fjelder', email, password, invitation: token });
  const organisation = await person.call('POST /api/org/my-invitations/accept', { body: { token } });
  person.orgId = organisation.id;
  expect(await memberOf(email)).toMatchObject({ name: 'Runa Fjelder', role: 'member', source: 'invitation' });
  expect(await admin.call('GET /api/org/seats')).toMatchObject({ used: 2, held: 0 });
  expect((await look(token)).state).toBe('used');
  expect(JSON.stringify(await look(token))).not.toContain('Lindmoor');
  await person.call('PATCH /api/auth/me', { body: { version: person.me?.version ?? 1, name: 'Runa Fjelder-Moe' } });
  await eventually(async () => {
    expect((await memberOf(email))?.name).toBe('Runa Fjelder-Moe');
  }, 'the list should show the new name');
});

test('a role that is taken counts on the next request, and one that is given too', async () => {
  const email = 'odd@lindmoor.example';
  const person = await joins(email);
  const { userId, version } = (await memberOf(email))!;
  const give = (role: 'guest' | 'admin', of: number) =>
    admin.call('PUT /api/org/members/:userId/role', { params: { userId }, body: { version: of, role } });
  const rename = (name: string) =>
    person.call('PATCH /api/org/organisations/:orgId', {
      params: { orgId: person.orgId! },
      body: { version: 1, name },
    });
  await expect(rename('Mine')).rejects.toMatchObject({ status: 403 });
  await give('admin', version);
  // 409: the rights are newer than the token; the page asks once more.
  const invited = async (who: typeof admin) => (await who.call('GET /api/org/invitations')).items.map(({ id }) => id);
  await eventually(
    async () => expect(await invited(person)).toEqual(await invited(admin)),
    'an admin sees invitations',
  );
  await give('guest', version + 1);
  await eventually(async () => {
    const refused = await person.call('GET /api/org/members').then(
      () => null,
      (error: { status: number }) => error.status,
    );
    expect(refused).toBe(403);
  }, 'a guest sees no members');
});

test('who is removed in mid-answer gets no more words, and is out', async () => {
  const email = 'liv@lindmoor.example';
  const person = await joins(email);
  const conversationId = newId('conversation');
  const running = open.length;
  await person.send(conversationId, 'Tell me everything.');
  await eventually(async () => expect(open.length).toBe(running + 1), 'the answer is being written');
  const ended = new Promise<void>((resolve) => open.at(-1)?.once('close', resolve));
  const { userId } = (await memberOf(email))!;
  await admin.call('DELETE /api/org/members/:userId', { params: { userId }, query: { reason: 'Contract ended' } });
  await ended;
  await expect(person.messages(conversationId)).rejects.toMatchObject({ status: 404 });
  expect(await memberOf(email)).toBeUndefined();
  const { items } = await admin.call('GET /api/org/audit', { query: { target: userId } });
  expect(items[0]).toMatchObject({ act: 'member.removed', reason: 'Contract ended' });
  expect((await person.call('GET /api/org/organisations')).items).toEqual([]);
});
