import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { errorLimits, type ErrorTestKind, type ListedErrorTest } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import mongoose from 'mongoose';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';

const secrets = ['my mother is ill', 'ada@example.com', 'sk-1234567890'];
const path = '/api/monitoring/error-envelopes';
const digest = '0123456789';

const anEvent = (more: object = {}) => ({
  event_id: randomBytes(16).toString('hex'),
  release: 'parley@0.1.0',
  message: secrets[0],
  user: { email: secrets[1] },
  tags: { route: 'chat/:id', digest, token: secrets[2] },
  exception: { values: [{ type: 'RangeError', value: secrets[0], stacktrace: { frames: [] } }] },
  ...more,
});
const envelopeOf = (event: object): string =>
  [{ dsn: 'https://other@evil.example/9' }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n');

let running: TestParley;
let admin: ParleyClient;
let addresses = 0;

async function start(settings: Record<string, string> = {}): Promise<void> {
  running = await startTestParley({ PARLEY_TRUSTED_PROXY: '127.0.0.1', ...settings });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  admin = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
}

type Sending = { address?: string; headers?: Record<string, string>; body?: string | Uint8Array<ArrayBuffer> };
/** As a page sends it; a visitor unless somebody is named. */
async function send(sending: Sending = {}, client = new ParleyClient(running.url)): Promise<number> {
  const { address = `203.0.113.${(addresses += 1)}`, headers = {}, body = envelopeOf(anEvent()) } = sending;
  const init = { body, contentType: 'text/plain', headers: { 'x-forwarded-for': address, ...headers } };
  const response = await client.raw('POST', path, init);
  await response.text();
  return response.status;
}
const list = (query: object = {}) => admin.call('GET /api/monitoring/collected-errors', { query });
const drops = async () => Object.fromEntries((await list()).dropped.map(({ reason, count }) => [reason, count]));

/** All that a service's database holds, as text. */
async function everythingOf(database: string): Promise<string> {
  const connection = await mongoose.createConnection(running.parley.internals.storeUri(database)).asPromise();
  const names = (await connection.listCollections()).map(({ name }) => name);
  const rows = await Promise.all(names.map((name) => connection.collection(name).find().toArray()));
  await connection.close();
  return JSON.stringify(rows);
}

describe('the tunnel', () => {
  beforeAll(() => start(), 60_000);
  afterAll(() => running.close());

  test('takes errors of visitors and of people, who are counted; nothing that they wrote is kept', async () => {
    expect(await send()).toBe(204);
    for (const _ of [1, 2]) expect(await send({}, admin)).toBe(204);
    const [group] = (await list()).items;
    expect(group).toMatchObject({ deployable: 'browser', type: 'RangeError', count: 3, people: 1, state: 'new' });
    expect((await list({ text: digest })).items).toHaveLength(1);
    const kept = await everythingOf('parley_monitoring');
    expect(kept).toContain('RangeError');
    for (const secret of secrets) expect(kept).not.toContain(secret);
    expect(kept).not.toContain('evil.example');
  });

  test('asks for the CSRF header and for no other site, and takes no query', async () => {
    const bare = await fetch(running.url + path, { method: 'POST', body: envelopeOf(anEvent()) });
    expect(bare.status).toBe(403);
    expect(await send({ headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403);
    const asked = await admin.raw('POST', `${path}?sentry_key=x`, {
      body: envelopeOf(anEvent()),
      contentType: 'text/plain',
    });
    expect(asked.status).toBe(400);
  });

  test('refuses bombs by size, packing and nesting, and shows how many', async () => {
    const before = await drops();
    const large = 'x'.repeat(errorLimits.envelopeBytes + 1);
    expect(await send({ body: large })).toBe(413);
    const packed = new Uint8Array(gzipSync(Buffer.alloc(50_000_000, ' ')));
    expect(await send({ body: packed, headers: { 'content-encoding': 'gzip' } })).toBe(415);
    expect(await send({ body: '[' })).toBe(400);
    expect(await send({ body: `{}\n{"type":"event"}\n${'['.repeat(60_000)}` })).toBe(204);
    expect(await send({ body: `{}\n${`{"type":"session"}\n{}\n`.repeat(50)}` })).toBe(204);
    await eventually(async () => {
      const now = await drops();
      const more = (reason: string) => (now[reason] ?? 0) - (before[reason] ?? 0);
      expect(['size', 'malformed', 'depth', 'items'].map(more)).toEqual([1, 2, 1, 50]);
    }, 'what was dropped should be shown');
    expect(await send()).toBe(204);
  }, 60_000);

  test('has a limit for each address, and counts what is beyond', async () => {
    const address = '198.51.100.7';
    let refused = 0;
    // A slow machine sends fewer in the minute for which they count.
    for (let sent = 0; sent < 700 && refused === 0; sent += 70) {
      const answers = await Promise.all(Array.from({ length: 70 }, () => send({ address })));
      refused = answers.filter((status) => status === 429).length;
    }
    expect(refused).toBeGreaterThan(0);
    expect(await send()).toBe(204);
    await eventually(async () => expect((await drops())['rate']).toBeGreaterThanOrEqual(refused), 'it should be shown');
  }, 60_000);
});

describe('an error test', () => {
  beforeAll(() => start(), 60_000);
  afterAll(() => running.close());

  const create = (kind: ErrorTestKind, client = admin) =>
    client.call('POST /api/monitoring/error-tests', { body: { id: newId('errorTest'), kind } });
  const arrivalOf = ({ id }: Pick<ListedErrorTest, 'id'>) =>
    eventually(async () => {
      const { items } = await admin.call('GET /api/monitoring/error-tests');
      const found = items.find((one) => one.id === id)?.arrived;
      if (!found) throw new Error('not yet');
      return found;
    }, 'the report should arrive');
  const services = ['auth', 'org', 'chat', 'billing', 'monitoring'] as const;

  test.each(services)('of %s over HTTP arrives from there, under the trace of the request', async (service) => {
    const made = await create(`${service}.request`);
    const { groupId } = await arrivalOf(made);
    const params = { errorGroupId: groupId };
    const { samples, ...group } = await admin.call('GET /api/monitoring/collected-errors/:errorGroupId', { params });
    expect(group).toMatchObject({ deployable: service, type: 'ErrorTest', isTest: true });
    expect(samples).toMatchObject([{ during: 'request', traceId: made.traceId, errorTestId: made.id }]);
  });

  test.each(services)(
    'of %s over an event arrives once, and leaves no dead letter and no parked key',
    async (service) => {
      const made = await create(`${service}.event`);
      const { groupId } = await arrivalOf(made);
      const params = { errorGroupId: groupId };
      const { samples, ...group } = await admin.call('GET /api/monitoring/collected-errors/:errorGroupId', { params });
      expect(group).toMatchObject({ deployable: service, isTest: true, count: 1 });
      expect(samples).toMatchObject([{ during: 'event', consumer: 'error-test', traceId: made.traceId }]);
      const connection = await mongoose
        .createConnection(running.parley.internals.storeUri(`parley_${service}`))
        .asPromise();
      const left = await Promise.all(
        ['dead_letters', 'parked_keys', 'parked_events'].map((name) => connection.collection(name).countDocuments()),
      );
      await connection.close();
      expect(left).toEqual([0, 0, 0]);
    },
  );

  test('of the BFF fails there, once it was asked for and by nobody else', async () => {
    const { id } = await create('bff');
    const failure = (client: ParleyClient) => client.raw('POST', `/api/monitoring/error-tests/${id}/failure`, {});
    expect((await failure(admin)).status).toBe(500);
    expect((await arrivalOf({ id })).deployable).toBe('bff');
    expect((await failure(await newPerson(running.url))).status).toBe(404);
    const other = await create('script');
    const answer = await admin.raw('POST', `/api/monitoring/error-tests/${other.id}/failure`, {});
    expect(answer.status).toBe(404);
  });

  test('is nowhere for whoever may make none: the routes and the pages are not found', async () => {
    const somebody = await newPerson(running.url, { organisation: 'Fennick Clinics' });
    await expect(create('script', somebody)).rejects.toMatchObject({ problem: { code: 'platform.not-found' } });
    const statusOf = async (client: ParleyClient, page: string) => (await client.raw('GET', `/en/${page}`, {})).status;
    for (const page of ['sentry-test', 'sentry-test/error'])
      expect([await statusOf(admin, page), await statusOf(somebody, page)]).toEqual([200, 404]);
    expect(await statusOf(new ParleyClient(running.url), 'sentry-test')).toBe(200);
  });
});

test('where a DSN is set, errors of pages go to its host under its own key, and nothing is collected', async () => {
  const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const receiver = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ url: request.url ?? '', headers: request.headers, body });
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  await start({ PARLEY_SENTRY_DSN: `http://own@127.0.0.1:${port}/42`, PARLEY_ERROR_TEST: 'true' });
  const event = anEvent();
  expect(await send({ body: envelopeOf(event) })).toBe(204);
  expect(received).toHaveLength(1);
  const [{ url, headers, body } = { url: '', headers: {}, body: '' }] = received;
  expect(url).toBe('/api/42/envelope/');
  expect(headers['x-sentry-auth']).toContain('sentry_key=own');
  expect(headers['cookie']).toBeUndefined();
  for (const secret of [...secrets, 'evil.example']) expect(body).not.toContain(secret);
  expect(JSON.parse(body.split('\n')[2] ?? '')).toMatchObject({
    event_id: event.event_id,
    release: 'parley@0.1.0',
    tags: { deployable: 'browser', route: '/chat/:id', digest },
    exception: { values: [{ type: 'RangeError', value: '' }] },
  });
  expect(await list()).toMatchObject({ items: [], sink: 'dsn' });
  const somebody = await newPerson(running.url, { organisation: 'Fennick Clinics' });
  expect(await somebody.call('GET /api/monitoring/error-tests')).toEqual({ items: [], sink: 'dsn' });
  await running.close();
  receiver.close();
}, 60_000);
