import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
/** Owns an organisation and runs the installation. */
let owner: ParleyClient;

beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
}, 90_000);
afterAll(() => running.close());

const entriesOf = async (...acts: readonly string[]) => {
  const { items } = await owner.call('GET /api/org/audit');
  return items.filter(({ act }) => acts.includes(act));
};
/** Waits until the audit log has exactly the expected entries of these acts, newest first. */
const become = (acts: readonly string[], expected: readonly object[]): Promise<void> =>
  eventually(async () => expect(await entriesOf(...acts)).toMatchObject(expected), `${acts.join(', ')} is recorded`);

test('uploads and deletions of documents are entries with their count, without names of files', async () => {
  const uploaded = [await owner.upload('salaries.md', 'Herons.'), await owner.upload('secrets.md', 'Cranes.')];
  await owner.call('DELETE /api/chat/documents/:documentId', { params: { documentId: uploaded[0]!.id } });
  const target = { of: 'connection' };
  await become(
    ['documents.uploaded', 'documents.deleted'],
    [
      { act: 'documents.deleted', count: 1, target },
      { act: 'documents.uploaded', count: 2, target, actor: { userId: owner.me?.id } },
    ],
  );
  expect(JSON.stringify(await entriesOf('documents.uploaded', 'documents.deleted'))).not.toMatch(/salaries|secrets/);
}, 90_000);

test('the entry of a connection has the address and the schedule of its source', async () => {
  const source = { kind: 'web', start: 'page', below: '/docs', depth: 1, pages: 10 } as const;
  const connection = await owner.call('POST /api/chat/connections', {
    body: {
      id: newId('connection'),
      name: 'Handbook',
      source: { ...source, address: 'https://handbook.example/docs?key=hidden' },
      audience: { kind: 'everybody' },
      schedule: 'manual',
    },
  });
  const params = { connectionId: connection.id };
  const { version } = connection;
  await owner.call('PATCH /api/chat/connections/:connectionId', { params, body: { version, schedule: 'daily' } });
  const text = (words: string) => ({ kind: 'text', text: words });
  const code = (word: string) => ({ kind: 'code', code: word });
  await become(
    ['connection.created', 'connection.changed'],
    [
      { target: { name: 'Handbook' }, changes: [{ field: 'schedule', before: code('manual'), after: code('daily') }] },
      {
        changes: expect.arrayContaining([{ field: 'address', after: text('https://handbook.example/docs') }]) as never,
      },
    ],
  );
}, 90_000);

test('setting, ending or importing prices is recorded in the organisations of the platform admin', async () => {
  const model = 'heron-1';
  const prices = { inputMicros: 2_000_000, outputMicros: 6_000_000, cachedMicros: 2_000_000 };
  const validity = { validFrom: null, validUntil: null, replaces: null };
  const params = { rateId: newId('rate') };
  const { version } = await owner.call('POST /api/billing/rates', {
    body: { id: params.rateId, currency: 'EUR', host: null, model, ...prices, ...validity },
  });
  await owner.call('PATCH /api/billing/rates/:rateId', { params, body: { version, validUntil: null } });
  const csv = 'model,input,output\ncrane-1,1.00,2.00\ncrane-2,1.00,2.00';
  await owner.call('POST /api/billing/rates/import', {
    body: { currency: 'EUR', csv, replaces: false, isDryRun: false },
  });
  const money = (amount: number) => ({ kind: 'money', amount, unit: 'micro', currency: 'EUR' });
  await become(
    ['price.set', 'price.ended', 'prices.imported'],
    [
      { act: 'prices.imported', changes: [{ field: 'pricesAdded', after: { kind: 'count', count: 2 } }] },
      { act: 'price.ended', target: { of: 'model', name: model } },
      {
        act: 'price.set',
        target: { of: 'model', name: model },
        changes: [
          { field: 'inputPrice', after: money(2_000_000) },
          { field: 'outputPrice', after: money(6_000_000) },
          { field: 'cachedPrice', after: money(2_000_000) },
          { field: 'begins' },
        ],
      },
    ],
  );
}, 90_000);

test('an address that is allowed for the installation is an entry of the organisations of its admin', async () => {
  const address = '10.0.0.5:11434';
  await owner.call('POST /api/chat/allowed-addresses', { body: { address } });
  await owner.call('DELETE /api/chat/allowed-addresses', { query: { address } });
  await become(
    ['address.allowed', 'address.revoked'],
    [
      { act: 'address.revoked', target: { of: 'address', name: address } },
      { act: 'address.allowed', target: { of: 'address', name: address }, actor: { isPlatformAdmin: true } },
    ],
  );
}, 90_000);

test('a limit that a platform admin sets takes effect at once and is an entry of the organisation', async () => {
  const orgId = owner.orgId!;
  const params = { orgId, quota: 'webhooks' } as const;
  const before = await owner.call('GET /api/monitoring/organisation-limits/:orgId', { params: { orgId } });
  expect(before.items).toEqual([
    { quota: 'webhooks', used: 0, ceiling: 10, defaultCeiling: 10, highest: 100, isSet: false },
  ]);
  await owner.call('PUT /api/monitoring/organisation-limits/:orgId/:quota', { params, body: { ceiling: 0, seen: 10 } });
  const webhook = { id: newId('webhook'), url: 'https://hooks.example/parley', types: ['answer.*'] };
  await expect(owner.call('POST /api/monitoring/webhooks', { body: webhook as never })).rejects.toMatchObject({
    problem: { code: 'org.limit-reached', status: 409, detail: expect.stringContaining('Delete a webhook') as unknown },
  });
  await owner.call('PUT /api/monitoring/organisation-limits/:orgId/:quota', {
    params,
    body: { ceiling: null, seen: 0 },
  });
  const count = (number: number) => ({ kind: 'count', count: number });
  await become(
    ['limit.changed'],
    [
      { changes: [{ field: 'webhooks', before: count(0), after: count(10) }] },
      { changes: [{ field: 'webhooks', before: count(10), after: count(0) }], target: { of: 'organisation' } },
    ],
  );
}, 90_000);
