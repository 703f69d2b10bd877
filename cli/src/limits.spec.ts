import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { openDataFolder } from '@parley/embedded';
import { startEmbeddedMongo } from '@parley/embedded-mongo';
import type { OrgId } from '@parley/protocol';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listLimits, recountFolder, setLimit } from './limits.ts';

const data = mkdtempSync(join(tmpdir(), 'parley-limits-'));
const organisation = 'lindmoor';
const orgId: OrgId = newId('organisation');
const options = { organisation, data };

async function write(owner: string, collection: string, row: object): Promise<void> {
  const store = await startEmbeddedMongo({ file: join(data, 'store.sqlite') });
  const mongo = await Mongo.connect(store.uri(`parley_${owner}`));
  await mongo.connection.collection(collection).insertOne(row as never);
  await mongo.close();
  await store.close();
}
beforeAll(async () => {
  await openDataFolder(data);
  await write('org', 'organisations', { _id: orgId, slug: organisation });
});
afterAll(() => rmSync(data, { recursive: true }));

test('a ceiling is set for one organisation, listed, and taken back', async () => {
  expect(await listLimits(options)).toContain('connections  0 of 50');
  expect(await setLimit('connections', '80', options)).toEqual([`${orgId} can have 80 of connections.`]);
  expect(await listLimits({ ...options, organisation: orgId })).toContain(
    'connections  0 of 80, set for this organisation',
  );
  await setLimit('storage', '0.5', options);
  await setLimit('apiKeys', '5', options);
  const lines = await listLimits(options);
  expect(lines).toContain('storage  0 GB of 0.5 GB, set for this organisation');
  expect(lines).toContain('apiKeys  at most 5, set for this organisation');
  await setLimit('connections', 'default', options);
  expect(await listLimits(options)).toContain('connections  0 of 50');
});

test('what makes no sense is refused with what does', async () => {
  await expect(setLimit('passages', '1', options)).rejects.toThrow(
    'There is no limit passages: choose one of storage,',
  );
  for (const value of ['501', '-1', '1.5', 'many'])
    await expect(setLimit('connections', value, options)).rejects.toThrow('Give a number up to 500, or default.');
  await expect(setLimit('webhooks', '1', { ...options, organisation: 'nobody' })).rejects.toThrow('nobody');
});

test('a quota without a counter is counted when it is listed, and keeps a ceiling of 0.3.0', async () => {
  const row = { orgId, userId: null, changes: 9, used: 9 };
  await write('org', 'quota_counters', { ...row, _id: `${orgId}/groups`, quota: 'groups', ceiling: 300 });
  await write('monitoring', 'quota_counters', { ...row, _id: `${orgId}/webhooks`, quota: 'webhooks', ceiling: null });
  await write('org', 'groups', { _id: newId('group'), orgId, name: 'Night shift', memberCount: 0, version: 1 });
  const lines = await listLimits(options);
  expect(lines).toContain('groups  1 of 300, set for this organisation');
  expect(lines).toContain('webhooks  0 of 10');
});

test('the doctor counts a stopped folder again and names what was wrong', async () => {
  await write('chat', 'documents', { _id: newId('document'), orgId, bytes: 2e9, textBytes: 0 });
  expect(await recountFolder(data)).toContain(`storage of ${orgId}: 0, counted 2000000000`);
  const again = await recountFolder(data);
  expect(again).toContain('chat: 1 counters, 0 corrected');
  expect(again.filter((line) => line.includes('counters'))).toHaveLength(1);
  expect(again).toContain('0 message trees checked, 0 rebuilt');
  expect(await listLimits(options)).toContain('storage  2 GB of 0.5 GB, set for this organisation');
});
