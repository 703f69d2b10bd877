import { beforeAll, expect, test } from '@jest/globals';
import {
  permissionsOf,
  quotaLimits,
  type ApiKey,
  type ApiKeyId,
  type Permission,
  type PersonPrincipal,
} from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import { job } from '@parley/platform/work';
import { Quotas } from '@parley/platform/quotas';
import type { OrgId } from '@parley/protocol';
import { aPerson, describeCountedQuota, testStore } from '@parley/testing';
import { UsersRepository } from '../users/index.ts';
import { ApiKeysConsumer } from './api-keys.consumer.ts';
import { ApiKeysRepository } from './api-keys.repository.ts';
import { ApiKeysService } from './api-keys.service.ts';
import { OwnApiKeysService } from './own-api-keys.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const users = new UsersRepository(mongo, clock);
const revocations = new RevocationLog(mongo);
const keys = new ApiKeysRepository(mongo, revocations, clock);
const own = new OwnApiKeysService(keys, work, clock);
const all = new ApiKeysService(keys, users, work, clock);
const consumer = new ApiKeysConsumer(keys, users);
const tests = jobScope('tests');
const dayMs = 24 * 3_600_000;
beforeAll(ready);

async function member(orgId: OrgId, name = 'Ines Vardale', rights: readonly Permission[] = permissionsOf('member')) {
  const userId = newId('user');
  const user = { id: userId, email: `${userId}@example.com`, name, locale: 'en', timeZone: null } as const;
  const account = { ...user, isProven: false, platformRole: null, version: 1, passwordHash: 'hash' };
  await work.run(job('tests'), (tx) => users.create(tests.of(userId), account, tx));
  return aPerson({ userId, name, organisation: { orgId, permissions: rights, rightsVersion: 1 } });
}
const asked = (principal: PersonPrincipal, parts: object = {}) =>
  ({ scope: tests.in(principal.organisation!.orgId), principal, ...parts }) as never;
const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString();
const wanted = (parts: object = {}) => ({
  id: newId('apiKey'),
  name: 'Night report',
  permissions: ['chat:read', 'chat:create'],
  endsAt: inDays(30),
  ...parts,
});
const make = async (principal: PersonPrincipal, parts: object = {}) => {
  const { key, secret } = await own.create(asked(principal, { body: wanted(parts) }));
  return { key, secret: secret! };
};
const mine = async (principal: PersonPrincipal) => (await own.list(asked(principal, { query: { limit: 50 } }))).items;
const listed = async (principal: PersonPrincipal, query: object = {}) =>
  (await all.list(asked(principal, { query: { limit: 50, ...query } }))).items;
const resolve = (secret: string, network = '192.0.2.0/24') =>
  all.resolve({ scope: tests, body: { secret, network } } as never);
const revoke = (principal: PersonPrincipal, apiKeyId: ApiKeyId) =>
  own.revoke(asked(principal, { params: { apiKeyId } }));
const namesOf = (items: ApiKey[]) => items.map(({ name }) => name);

test('a key is shown once, kept as a hash, and opens what it was given', async () => {
  const orgId = newId('organisation');
  const me = await member(orgId);
  const body = wanted();
  const { key, secret } = await own.create(asked(me, { body }));
  expect(secret).toMatch(/^plk_[\w-]{43}$/);
  expect(key).toMatchObject({ prefix: secret!.slice(0, 8), permissions: ['chat:create', 'chat:read'], ended: null });
  expect(await own.create(asked(me, { body }))).toEqual({ key, secret: null });
  expect(await resolve(secret!)).toMatchObject({ apiKeyId: key.id, orgId, userId: me.userId, endsAt: body.endsAt });
  const hashes = [hashSecret(secret!), hashSecret(`plk_${'x'.repeat(43)}`)];
  expect(await all.find({ scope: tests, body: { hashes } } as never)).toEqual({ found: [hashes[0]] });
  const rows = await mongo.connection.collection('api_keys').find().toArray();
  expect(JSON.stringify(rows)).not.toContain(secret!.slice(8));
  const told = (await recorded()).filter(({ subject }) => subject === me.userId);
  expect(told).toMatchObject([{ type: 'apikey.created.v1', tenantid: orgId, data: { apiKeyId: key.id } }]);
  expect(JSON.stringify(told)).not.toContain(secret!.slice(8));
});

test('nobody gives a key rights that they do not have, nor one that works for ever', async () => {
  const me = await member(newId('organisation'));
  await expect(make(me, { permissions: ['chat:read', 'audit:read'] })).rejects.toMatchObject({
    code: 'org.beyond-own-rights',
    message: 'You do not have: audit:read.',
  });
  for (const days of [0, -1, 367])
    await expect(make(me, { endsAt: inDays(days) })).rejects.toMatchObject({ code: 'platform.invalid-request' });
  await make(me, { endsAt: inDays(366) });
});

test('one person has so many that work, and no more', async () => {
  const me = await member(newId('organisation'));
  const { key } = await make(me);
  for (let count = 1; count < quotaLimits.apiKeys.ceiling; count += 1) await make(me);
  await expect(make(me)).rejects.toMatchObject({ code: 'auth.api-keys-full' });
  await revoke(me, key.id);
  await make(me);
});

describeCountedQuota({ mongo, quota: 'apiKeys' }, async () => {
  const me = await member(newId('organisation'));
  const remove = ({ key }: Awaited<ReturnType<typeof make>>) => revoke(me, key.id);
  return { scope: tests.in(me.organisation!.orgId), make: () => make(me), remove };
});

test('keys that have expired make room, although nobody was there to count them', async () => {
  const me = await member(newId('organisation'));
  const scope = tests.in(me.organisation!.orgId);
  await new Quotas(mongo).setCeiling(scope, 'apiKeys', 2);
  await make(me, { endsAt: inDays(1) });
  await make(me, { endsAt: inDays(60) });
  await expect(make(me, { endsAt: inDays(60) })).rejects.toMatchObject({ code: 'auth.api-keys-full' });
  clock.advance(2 * dayMs);
  await make(me, { endsAt: inDays(60) });
});

test("each person has a limit of their own: a colleague's keys, and those elsewhere, don't count", async () => {
  const orgId = newId('organisation');
  const [me, colleague] = [await member(orgId), await member(orgId)];
  await new Quotas(mongo).setCeiling(tests.in(orgId), 'apiKeys', 2);
  const elsewhere = { ...me, organisation: { ...me.organisation!, orgId: newId('organisation') } };
  for (const one of [colleague, colleague, elsewhere, elsewhere]) await make(one);
  for (const _ of [1, 2]) await make(me);
  await expect(make(me)).rejects.toMatchObject({ code: 'auth.api-keys-full' });
});

test('a revoked key is void everywhere, once, however often it is revoked', async () => {
  const me = await member(newId('organisation'));
  const { key, secret } = await make(me);
  for (const _ of [1, 2]) await revoke(me, key.id);
  await expect(resolve(secret)).rejects.toMatchObject({ extras: { detail: 'It was revoked.' } });
  expect((await revocations.list(0)).items.filter(({ subject }) => subject === key.id)).toMatchObject([
    { kind: 'session', rightsVersion: null },
  ]);
  const [ended] = await mine(me);
  expect(ended).toMatchObject({
    endsAt: clock.now().toISOString(),
    ended: { how: 'revoked', by: { userId: me.userId } },
  });
  const told = (await recorded()).filter(({ type, subject }) => type === 'apikey.revoked.v1' && subject === me.userId);
  expect(told).toMatchObject([{ data: { by: me.userId, reason: null } }]);
});

test('an expired key opens nothing, and says so to whoever has it', async () => {
  const me = await member(newId('organisation'));
  const { secret } = await make(me, { endsAt: inDays(1) });
  clock.advance(dayMs);
  await expect(resolve(secret)).rejects.toMatchObject({ extras: { detail: 'It has expired.' } });
  expect((await mine(me))[0]?.ended?.how).toBe('expired');
  await expect(resolve('plk_nobody')).rejects.toMatchObject({ code: 'platform.not-found' });
});

test('the last use is written at most once a minute', async () => {
  const me = await member(newId('organisation'));
  const { secret } = await make(me);
  expect((await mine(me))[0]?.lastUsedAt).toBeNull();
  await resolve(secret);
  const first = clock.now().toISOString();
  clock.advance(59_000);
  await resolve(secret, '198.51.100.0/24');
  expect((await mine(me))[0]).toMatchObject({ lastUsedAt: first, lastUsedFrom: '192.0.2.0/24' });
  clock.advance(1_000);
  await resolve(secret, '198.51.100.0/24');
  expect((await mine(me))[0]).toMatchObject({ lastUsedAt: clock.now().toISOString(), lastUsedFrom: '198.51.100.0/24' });
});

test("others' keys and those of another organisation are not found", async () => {
  const [here, there] = [newId('organisation'), newId('organisation')];
  const [me, colleague] = [await member(here), await member(here)];
  const { key } = await make(me);
  const elsewhere = { ...me, organisation: { ...me.organisation!, orgId: there } };
  for (const stranger of [colleague, elsewhere]) {
    await expect(revoke(stranger, key.id)).rejects.toMatchObject({ code: 'platform.not-found' });
    expect(await mine(stranger)).toEqual([]);
  }
  const byAdmin = { params: { apiKeyId: key.id }, query: { reason: 'Lost' } };
  await expect(all.revoke(asked(elsewhere, byAdmin))).rejects.toMatchObject({ code: 'platform.not-found' });
  await expect(make(colleague, { id: key.id })).rejects.toMatchObject({ code: 'platform.conflict' });
});

test('all of an organisation: those that work first, by their owner and by their state, page by page', async () => {
  const orgId = newId('organisation');
  const [ines, kei] = [await member(orgId), await member(orgId, 'Kei Amasato')];
  for (const [name, days] of [
    ['b', 20],
    ['a', 30],
    ['soon', 1],
  ] as const)
    await make(ines, { name, endsAt: inDays(days) });
  const { key } = await make(kei, { name: 'lost' });
  await all.revoke(asked(ines, { params: { apiKeyId: key.id }, query: { reason: 'Found in a log' } }));
  clock.advance(dayMs);
  expect(namesOf(await listed(ines))).toEqual(['a', 'b', 'soon', 'lost']);
  expect(namesOf(await listed(ines, { state: 'working' }))).toEqual(['a', 'b']);
  expect(namesOf(await listed(ines, { state: 'ended' }))).toEqual(['soon', 'lost']);
  expect(namesOf(await listed(ines, { text: 'ama' }))).toEqual(['lost']);
  expect(await listed(ines, { text: '!' })).toEqual([]);
  expect(namesOf(await mine(kei))).toEqual(['lost']);
  expect((await mine(kei))[0]?.ended).toEqual({
    how: 'revoked',
    by: { userId: ines.userId, name: 'Ines Vardale' },
    reason: 'Found in a log',
  });
  const first = await all.list(asked(ines, { query: { limit: 1, state: 'working' } }));
  const second = await all.list(asked(ines, { query: { limit: 9, state: 'working', cursor: first.nextCursor! } }));
  expect([...namesOf(first.items), ...namesOf(second.items)]).toEqual(['a', 'b']);
});

test('whoever leaves leaves no key behind; those elsewhere, and those of a later membership, work on', async () => {
  const [here, there] = [newId('organisation'), newId('organisation')];
  const me = await member(here);
  const [gone, other] = [await make(me), await make({ ...me, organisation: { ...me.organisation!, orgId: there } })];
  const time = clock.now().toISOString();
  clock.advance(1_000);
  const later = await make(me);
  const event = { data: { orgId: here, userId: me.userId, how: 'removed', rightsVersion: 2 }, time };
  for (const _ of [1, 2])
    await work.run(job('tests'), (tx) => consumer.endKeys(event as never, { tx, scope: tests.in(here) } as never));
  await expect(resolve(gone.secret)).rejects.toMatchObject({ code: 'platform.not-found' });
  for (const { secret } of [other, later]) await resolve(secret);
  expect((await mine(me)).map(({ ended }) => ended?.how)).toEqual([undefined, 'left']);
});

test('a person is found by the new name', async () => {
  const me = await member(newId('organisation'));
  await make(me);
  await work.run(me, (tx) => users.update(tests.of(me.userId), { version: 1, changes: { name: 'Runa Moe' } }, tx));
  const event = { data: { userId: me.userId, version: 2 } };
  await work.run(job('tests'), (tx) => consumer.renameOwner(event as never, { tx } as never));
  expect((await listed(me, { text: 'runa' })).map(({ owner }) => owner.name)).toEqual(['Runa Moe']);
  expect(await listed(me, { text: 'ines' })).toEqual([]);
});
