import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Delivery, OutsideEvent, WebhookId } from '@parley/contracts';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import type { EventEnvelope, OrgId } from '@parley/protocol';
import { aPerson, TestJobs, testStore } from '@parley/testing';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { EventStream } from '../event-stream/index.ts';
import { tellWebhook } from './webhook-job.ts';
import { WebhookSender } from './webhook-sender.ts';
import { WebhookWorker } from './webhook-worker.ts';
import { WebhooksRepository } from './webhooks.repository.ts';
import { WebhooksService } from './webhooks.service.ts';

const store = await testStore();
const { mongo, work, clock, ready } = store;
const tests = jobScope('tests');
const stream = new EventStream(mongo, clock);
const repository = new WebhooksRepository(mongo, stream);
const sealer = new Sealer(Buffer.alloc(32, 1));
const settings = { mayEverybodyTest: false, hasDsn: false };
type Got = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: string };
let got: Got[];
let answer: (path: string, response: ServerResponse) => void;
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    got.push({ path: request.url ?? '', headers: request.headers, body });
    answer(request.url ?? '', response);
  });
});
let address: string;
let sender: WebhookSender;
let service: WebhooksService;
const workers: TestJobs[] = [];
const newWorker = () => {
  const runner = new WebhookWorker(repository, stream, sender, sealer, work, clock);
  const worker = new TestJobs(store).with(tellWebhook, runner);
  workers.push(worker);
  return worker;
};
let worker: TestJobs;
let orgId: OrgId;

beforeAll(async () => {
  await ready();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  got = [];
  answer = (_path, response) => void response.writeHead(204).end();
  orgId = newId('organisation');
  sender = new WebhookSender({ ...settings, outboundAllow: [address] });
  service = new WebhooksService(repository, stream, sender, sealer, work, clock);
  worker = newWorker();
});
afterEach(async () => {
  for (const name of ['webhooks', 'jobs']) await mongo.connection.collection(name).deleteMany({});
  server.closeAllConnections();
  for (const one of workers.splice(0)) await one.end();
  await sender.onApplicationShutdown();
});

const given = (more: object) =>
  ({ scope: tests.in(orgId), principal: aPerson(), query: { limit: 50 }, ...more }) as never;
async function create(path = '/hook', types = ['group.*']) {
  const id = newId('webhook');
  const { secret } = await service.create(given({ body: { id, url: `http://${address}${path}`, types } }));
  return { id, secret: secret ?? '' };
}
async function happen(count = 1, type = 'group.changed.v1'): Promise<string[]> {
  const time = clock.now().toISOString();
  const events = Array.from({ length: count }, () => ({
    specversion: '1.0',
    id: newId('event'),
    source: 'org',
    type,
    time,
    subject: orgId,
    tenantid: orgId,
    sequence: 1,
    data: { orgId, groupId: newId('group'), change: 'created' },
  }));
  await work.run(job('tests'), (tx) => stream.append(tests.in(orgId), tx, events as unknown as EventEnvelope[]));
  return events.map(({ id }) => id);
}
const turn = () => worker.run();
const idsTold = (path?: string) =>
  got.filter((one) => path === undefined || one.path === path).map(({ body }) => (JSON.parse(body) as OutsideEvent).id);
const deliveriesOf = async (webhookId: WebhookId): Promise<Delivery[]> =>
  (await service.deliveries(given({ params: { webhookId } }))).items;
const stateOf = async (webhookId: WebhookId) =>
  (await service.list(given({}))).items.find(({ id }) => id === webhookId)?.state;
const refusal = (code: string) => expect.objectContaining({ code }) as unknown as Error;

describe('a webhook', () => {
  test('is told of each event of its types once, in their order, signed so that the official library finds it true', async () => {
    const { id, secret } = await create();
    const events = await happen(3);
    await happen(1, 'role.changed.v1');
    await turn();
    await turn();
    expect(idsTold()).toEqual(events);
    for (const { headers, body } of got) {
      expect(headers['content-type']).toBe('application/cloudevents+json');
      // It looks at the real clock; ours stands still.
      const timestamp = Number(headers['webhook-timestamp']);
      expect(timestamp).toBe(Math.floor(clock.now().getTime() / 1_000));
      const signed = new Webhook(secret).sign(String(headers['webhook-id']), new Date(timestamp * 1_000), body);
      expect(headers['webhook-signature']).toBe(signed);
      expect(headers['webhook-id']).toBe((JSON.parse(body) as OutsideEvent).id);
    }
    expect((await deliveriesOf(id)).map(({ state, attempts, lastStatus }) => [state, attempts, lastStatus])).toEqual(
      events.map(() => ['delivered', 1, 204]),
    );
  });

  test('is shown its secret once', async () => {
    const body = { id: newId('webhook'), url: `http://${address}/`, types: ['group.*'] };
    expect((await service.create(given({ body }))).secret).toMatch(/^whsec_/);
    expect((await service.create(given({ body }))).secret).toBeNull();
    const row = await mongo.connection.collection<{ _id: string }>('webhooks').findOne({ _id: body.id });
    expect(JSON.stringify(row)).not.toContain('whsec_');
  });

  test('has a new secret when it moves to another host, and keeps its own within its host', async () => {
    const { id: webhookId } = await create();
    const move = (version: number, url: string) =>
      service.change(given({ params: { webhookId }, body: { version, url, types: ['group.*'], isOn: false } }));
    expect((await move(1, `http://${address}/elsewhere`)).secret).toBeNull();
    expect((await move(2, 'https://hooks.example.com/')).secret).toMatch(/^whsec_/);
  });

  test.each([
    'https://127.0.0.1:1/',
    'https://10.0.0.5/',
    'https://[::1]/',
    'https://169.254.169.254/',
    'http://example.com/',
  ])('cannot be at %s', async (url) => {
    const body = { id: newId('webhook'), url, types: ['group.*'] };
    await expect(service.create(given({ body }))).rejects.toThrow(refusal('platform.address-not-allowed'));
  });

  test('off, is told nothing of what waits or happens meanwhile; on again, of what happens then', async () => {
    const { id: webhookId } = await create();
    const body = { url: `http://${address}/`, types: ['group.*'] };
    const change = (version: number, isOn: boolean) =>
      service.change(given({ params: { webhookId }, body: { ...body, version, isOn } }));
    await happen();
    const took = answer;
    answer = (_path, response) => void response.writeHead(500).end();
    await turn();
    answer = took;
    await change(1, false);
    expect(await deliveriesOf(webhookId)).toMatchObject([{ state: 'dead', lastFailure: 'webhook-off' }]);
    got = [];
    clock.advance(24 * 3_600_000);
    await happen();
    await turn();
    await expect(change(1, true)).rejects.toThrow(refusal('platform.conflict'));
    await change(2, true);
    const [told] = await happen();
    await turn();
    expect(idsTold()).toEqual([told]);
  });

  test('gets a test that stands among its deliveries', async () => {
    const { id: webhookId } = await create();
    const { eventId } = await service.test(given({ params: { webhookId } }));
    await turn();
    expect(idsTold()).toEqual([eventId]);
    expect((await deliveriesOf(webhookId))[0]).toMatchObject({ eventId, type: 'webhook.test.v1', state: 'delivered' });
  });
});

describe('a server that does not take it', () => {
  test('is asked again for 24 h, then the delivery is dead, and goes out when somebody sends it again', async () => {
    answer = (_path, response) => void response.writeHead(500).end();
    const { id: webhookId } = await create();
    const [eventId = ''] = await happen();
    const startedAt = clock.now().getTime();
    let last: Delivery | undefined;
    for (let attempts = 1; last?.state !== 'dead'; attempts += 1) {
      await turn();
      [last] = await deliveriesOf(webhookId);
      expect(last).toMatchObject({ eventId, attempts, lastStatus: 500, lastFailure: 'status' });
      await turn();
      expect(got).toHaveLength(attempts);
      if (last?.nextAt) clock.advance(Date.parse(last.nextAt) - clock.now().getTime());
    }
    expect(last?.attempts).toBe(8);
    const hours = (clock.now().getTime() - startedAt) / 3_600_000;
    expect(hours).toBeGreaterThan(21);
    expect(hours).toBeLessThanOrEqual(24.01);
    clock.advance(3_600_000);
    await turn();
    expect(got).toHaveLength(8);

    answer = (_path, response) => void response.writeHead(200).end('ok');
    expect(await service.redeliver(given({ params: { webhookId, eventId } }))).toMatchObject({ state: 'waiting' });
    await turn();
    expect(new Set(got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));
    expect((await deliveriesOf(webhookId))[0]).toMatchObject({ state: 'delivered', lastFailure: null });
  });

  test('but says 410 is told no more', async () => {
    answer = (_path, response) => void response.writeHead(410).end();
    const { id } = await create();
    await happen(2);
    await turn();
    await turn();
    expect(got).toHaveLength(1);
    expect(await stateOf(id)).toBe('gone');
    expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(['dead', 'dead']);
  });

  test('and never answers delays nobody else', async () => {
    answer = (path, response) => (path === '/silent' ? undefined : void response.writeHead(204).end());
    const silent = await create('/silent');
    await create('/other');
    const events = await happen(2);
    await worker.look();
    while (idsTold('/other').length < 2 || idsTold('/silent').length < 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(idsTold('/other')).toEqual(events);
    // Still in its turn: another process leaves it alone.
    await newWorker().run();
    expect(idsTold('/silent')).toHaveLength(1);
    server.closeAllConnections();
    await turn();
    expect((await deliveriesOf(silent.id)).filter(({ lastFailure }) => lastFailure === 'no-answer')).toHaveLength(1);
  });

  test('and sends it to an address inside is not followed', async () => {
    let asked = 0;
    const inside = createServer((_request, response) => void response.end(String((asked += 1))));
    await once(inside.listen(0, '127.0.0.1'), 'listening');
    const location = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
    answer = (_path, response) => void response.writeHead(307, { location }).end();
    const { id } = await create();
    await happen();
    await turn();
    expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'waiting', lastStatus: 307, lastFailure: 'status' });
    expect([asked, got.length]).toEqual([0, 1]);
    inside.close();
  });

  test('and may not be called any more is not', async () => {
    const { id } = await create();
    await happen();
    sender = new WebhookSender({ ...settings, outboundAllow: [] });
    worker = newWorker();
    await turn();
    expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'waiting', lastStatus: null, lastFailure: 'address' });
    expect(got).toEqual([]);
  });
});

test('an answer of 10 MB is not read', async () => {
  let written = 0;
  const closed = Promise.withResolvers<void>();
  answer = (_path, response) => {
    response.once('close', closed.resolve);
    const write = () => {
      while (written < 10_000_000 && !response.destroyed) {
        written += 16_000;
        if (!response.write('x'.repeat(16_000))) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  };
  const { id } = await create();
  await happen();
  await turn();
  await closed.promise;
  expect(written).toBeLessThan(10_000_000);
  expect((await deliveriesOf(id))[0]).toMatchObject({ state: 'delivered', lastStatus: 200 });
});

test('two processes tell each event once', async () => {
  await create();
  const events = await happen(20);
  const other = newWorker();
  await Promise.all([worker.run(), other.run()]);
  expect(idsTold()).toEqual(events);
});
