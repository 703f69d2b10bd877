import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Permission } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import { csrfHeader, organisationHeader, type ProblemDetails } from '@parley/protocol';

let running: TestParley;
let owner: ParleyClient;
let member: ParleyClient;

beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
  member = await newPerson(running.url);
  await plantMember(running.parley, member, owner, 'member');
}, 90_000);
afterAll(() => running.close());

const asMember = ['chat:create', 'chat:read', 'model:use', 'member:read'] as const satisfies readonly Permission[];
async function aKey(of: ParleyClient, permissions: readonly Permission[] = asMember) {
  const endsAt = new Date(Date.now() + 3_600_000).toISOString();
  const body = { id: newId('apiKey'), name: 'Night report', permissions: [...permissions], endsAt };
  const { key, secret } = await of.call('POST /api/auth/my-api-keys', { body });
  return { id: key.id, secret: secret! };
}

/** As a program does it: no cookie, no header but the key. */
async function ask(secret: string, route: string, extra: { body?: object; headers?: Record<string, string> } = {}) {
  const [method = '', path = ''] = route.split(' ');
  const response = await fetch(running.url + path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(extra.body && { 'content-type': 'application/json' }),
      ...extra.headers,
    },
    ...(extra.body && { body: JSON.stringify(extra.body) }),
  });
  const text = await response.text();
  const { code, detail } = (response.ok ? {} : JSON.parse(text)) as Partial<ProblemDetails>;
  return { status: response.status, code, detail, text, asks: response.headers.get('www-authenticate') };
}
const conversations = 'GET /api/chat/conversations';
/** At the latest a second after the act, which a loaded machine makes a little longer. */
const soon = (secret: string, route: string, expected: object) =>
  eventually(async () => expect(await ask(secret, route)).toMatchObject(expected), 'the key should have lost it');

test('a program asks and reads by its key alone, and everything is its owner’s', async () => {
  const { secret } = await aKey(member);
  const conversationId = newId('conversation');
  const body = {
    messageId: newId('message'),
    answerId: newId('message'),
    generationId: newId('generation'),
    text: 'When does carry over end?',
  };
  const sent = await ask(secret, `POST /api/chat/conversations/${conversationId}/messages`, { body });
  expect([sent.status, sent.code]).toEqual([202, undefined]);
  expect((await ask(secret, conversations)).text).toContain(conversationId);
  expect((await member.conversations()).map(({ id }) => id)).toContain(conversationId);
  expect(await owner.conversations()).toEqual([]);
  const { items } = await member.call('GET /api/auth/my-api-keys');
  expect(items[0]).toMatchObject({ lastUsedFrom: '127.0.0.0/24' });
});

test('it may what it was given, and no more', async () => {
  const { secret } = await aKey(owner, ['chat:read']);
  expect(await ask(secret, conversations)).toMatchObject({ status: 200 });
  expect(await ask(secret, 'GET /api/org/audit')).toMatchObject({ status: 403, code: 'platform.forbidden' });
});

test('it stays in its organisation', async () => {
  const { secret } = await aKey(owner);
  const elsewhere = owner.copy();
  const { id } = await elsewhere.createOrganisation('Second home');
  const headers = { [organisationHeader]: id };
  expect(await ask(secret, conversations, { headers })).toMatchObject({
    status: 400,
    code: 'platform.invalid-request',
  });
  expect(await ask(secret, conversations, { headers: { [organisationHeader]: owner.orgId! } })).toMatchObject({
    status: 200,
  });
});

test('it is not for the account, for keys, or for the installation', async () => {
  const { id, secret } = await aKey(owner);
  for (const route of [
    'GET /api/auth/me',
    'GET /api/auth/sessions',
    'GET /api/auth/mails',
    'GET /api/auth/my-api-keys',
    'GET /api/auth/registration',
    `DELETE /api/auth/api-keys/${id}?reason=x`,
    `DELETE /api/org/organisations/${owner.orgId}/membership`,
  ])
    expect([route, await ask(secret, route)]).toMatchObject([route, { status: 403, code: 'bff.not-by-key' }]);
});

test('beside it no cookie counts, and without it a cookie still needs its header', async () => {
  const wrong = await owner.raw('GET', '/api/chat/conversations', { headers: { authorization: 'Bearer plk_wrong' } });
  expect(wrong.status).toBe(401);
  const body = JSON.stringify({ id: newId('group'), name: 'Night shift' });
  const group = { body, contentType: 'application/json' };
  const forged = await owner.raw('POST', '/api/org/groups', {
    ...group,
    headers: { 'sec-fetch-site': 'cross-site', [csrfHeader]: '1' },
  });
  expect(forged.status).toBe(403);
});

test('a key that does not work is told so, in words and by the header that programs know', async () => {
  expect(await ask('plk_nobody', conversations)).toMatchObject({
    status: 401,
    code: 'auth.api-key-invalid',
    detail: 'There is no such key.',
    asks: 'Bearer',
  });
});

test('revoked by its owner, or by an admin, it ends within a second, and the audit log says by whom', async () => {
  const [mine, theirs] = [await aKey(member), await aKey(member)];
  for (const { secret } of [mine, theirs]) expect(await ask(secret, conversations)).toMatchObject({ status: 200 });
  await member.call('DELETE /api/auth/my-api-keys/:apiKeyId', { params: { apiKeyId: mine.id } });
  await owner.call('DELETE /api/auth/api-keys/:apiKeyId', {
    params: { apiKeyId: theirs.id },
    query: { reason: 'Found in a log' },
  });
  for (const { secret } of [mine, theirs])
    await soon(secret, conversations, { status: 401, detail: 'It was revoked.' });
  await eventually(async () => {
    const { items } = await owner.call('GET /api/org/audit', { query: { act: 'api-key.revoked' } });
    const byKey = new Map(items.map(({ actor, target, reason }) => [target.id, [actor.userId, reason]]));
    expect(byKey.get(mine.id)).toEqual([member.me?.id, null]);
    expect(byKey.get(theirs.id)).toEqual([owner.me?.id, 'Found in a log']);
  }, 'both should stand in the audit log');
});

test('it loses what its owner loses, and ends with the membership', async () => {
  const { secret } = await aKey(member);
  expect(await ask(secret, 'GET /api/org/members')).toMatchObject({ status: 200 });
  const userId = member.me!.id;
  const { items } = await owner.call('GET /api/org/members');
  const { version } = items.find((one) => one.userId === userId)!;
  await owner.call('PUT /api/org/members/:userId/role', { params: { userId }, body: { version, role: 'guest' } });
  await soon(secret, 'GET /api/org/members', { status: 403, code: 'platform.forbidden' });
  expect(await ask(secret, conversations)).toMatchObject({ status: 200 });
  await owner.call('DELETE /api/org/members/:userId', { params: { userId }, query: { reason: 'Has left us' } });
  await soon(secret, conversations, { status: 401, code: 'auth.api-key-invalid' });
  await eventually(async () => {
    const { items: keys } = await owner.call('GET /api/auth/api-keys', { query: { state: 'ended' } });
    expect(keys.some(({ owner: of, ended }) => of.userId === userId && ended?.how === 'left')).toBe(true);
  }, 'the keys of who left should have ended');
});
