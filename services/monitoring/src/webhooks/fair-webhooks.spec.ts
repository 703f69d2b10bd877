import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import type { EventEnvelope, OrgId } from '@parley/protocol';
import { aPerson, eventually, oneAttempt, TestJobs, testStore } from '@parley/testing';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStream } from '../event-stream/index.ts';
import { tellWebhook, webhooksToJobs } from './webhook-job.ts';
import { WebhookSender } from './webhook-sender.ts';
import { WebhookWorker } from './webhook-worker.ts';
import { newDelivery, testEvent } from './webhook.ts';
import { WebhooksRepository } from './webhooks.repository.ts';
import { WebhooksService } from './webhooks.service.ts';

const store = await testStore();
const { mongo, work, clock, ready } = store;
const tests = jobScope('tests');
const stream = new EventStream(mongo, clock);
const repository = new WebhooksRepository(mongo, stream);
const sealer = new Sealer(Buffer.alloc(32, 1));
/** Receivers at this path never answer. */
const hanging = '/hang';
const asked: string[] = [];
/** Each answers one call of a receiver with a status, in this order; all others get 204. */
let answering: (() => Promise<number>)[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  request.resume();
  if (request.url === hanging) return;
  const answer = answering.shift() ?? (() => Promise.resolve(204));
  void answer().then((status) => response.writeHead(status).end());
});
let address: string;
let sender: WebhookSender;
let service: WebhooksService;
const workers: TestJobs[] = [];
beforeAll(async () => {
  await ready();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  answering = [];
  sender = new WebhookSender({ mayEverybodyTest: false, hasDsn: false, outboundAllow: [address] });
  service = new WebhooksService(repository, stream, sender, sealer, work, clock);
});
afterEach(async () => {
  server.closeAllConnections();
  for (const worker of workers.splice(0)) await worker.end();
  for (const name of ['webhooks', 'webhook_deliveries', 'jobs']) await mongo.connection.collection(name).deleteMany({});
  await sender.onApplicationShutdown();
});
afterAll(() => void server.close());

const aRunner = () => new WebhookWorker(repository, stream, sender, sealer, work, clock);
function aWorker(of = (orgId: OrgId): string => orgId): TestJobs {
  const worker = new TestJobs(store, { of }).with(tellWebhook, aRunner());
  workers.push(worker);
  return worker;
}
const given = (orgId: OrgId, more: object) =>
  ({ scope: tests.in(orgId), principal: aPerson(), query: { limit: 50 }, ...more }) as never;
/** An organisation with so many webhooks, in which something has happened. */
async function anOrganisation(count: number, path: string): Promise<OrgId> {
  const orgId = newId('organisation');
  for (let made = 0; made < count; made += 1) {
    const body = { id: newId('webhook'), url: `http://${address}${path}`, types: ['group.*'] };
    await service.create(given(orgId, { body }));
  }
  await happen(orgId);
  return orgId;
}
async function happen(orgId: OrgId): Promise<void> {
  const data = { orgId, groupId: newId('group'), change: 'created' };
  const about = { source: 'org', subject: orgId, tenantid: orgId, sequence: 1, data };
  const type = 'group.changed.v1';
  const event = { specversion: '1.0', id: newId('event'), type, time: clock.now().toISOString(), ...about };
  await work.run(job('tests'), (tx) => stream.append(tests.in(orgId), tx, [event as unknown as EventEnvelope]));
}
const webhookOf = async (orgId: OrgId) => (await service.list(given(orgId, {}))).items[0]!;
async function deliveriesOf(orgId: OrgId) {
  const { id: webhookId } = await webhookOf(orgId);
  return (await service.deliveries(given(orgId, { params: { webhookId } }))).items;
}
const countOf = (path: string): number => asked.filter((one) => one === path).length;
const untilAsked = (path: string, count: number) =>
  eventually(() => countOf(path) >= count, `${count} calls of ${path}`);

test('one person with receivers that hang has half of the turns, and another organisation is told', async () => {
  const theirs = new Set<OrgId>();
  while (theirs.size < 4) theirs.add(await anOrganisation(10, hanging));
  await anOrganisation(1, '/other');
  await aWorker((orgId) => (theirs.has(orgId) ? 'usr_hang' : orgId)).look();
  await untilAsked('/other', 1);
  await untilAsked(hanging, 16);
  expect(countOf(hanging)).toBe(16);
});

test('many accounts with receivers that hang leave the next turn to another organisation', async () => {
  for (let made = 0; made < 8; made += 1) await anOrganisation(10, hanging);
  const worker = aWorker();
  await worker.look();
  await untilAsked(hanging, 32);
  await anOrganisation(1, '/other');
  await worker.look();
  expect(countOf('/other')).toBe(0);
  server.closeAllConnections();
  await untilAsked('/other', 1);
});

test('two organisations that a platform admin created have their turns at the same time', async () => {
  await anOrganisation(10, hanging);
  await anOrganisation(10, hanging);
  await aWorker().look();
  await untilAsked(hanging, 20);
});

test('an attempt that the end of the process cuts counts as none: the next process tells it', async () => {
  await anOrganisation(1, hanging);
  const worker = aWorker();
  await worker.look();
  await untilAsked(hanging, 1);
  await worker.end();
  const deliveries = mongo.connection.collection('webhook_deliveries');
  expect(await deliveries.find().toArray()).toMatchObject([{ state: 'waiting', attempts: 0, lastFailure: null }]);
  await aWorker().look();
  await untilAsked(hanging, 2);
});

test('where 1,000 deliveries of a webhook wait, what happens is taken once there are fewer', async () => {
  const orgId = await anOrganisation(1, '/full');
  const { id: webhookId } = await webhookOf(orgId);
  const at = clock.now();
  const rows = Array.from({ length: 1_000 }, () => {
    const event = testEvent({ id: newId('event'), webhookId, orgId, at });
    return { ...newDelivery({ webhookId, orgId, event, at }), nextAt: new Date(at.getTime() + 3_600_000) };
  });
  for (let from = 0; from < rows.length; from += 250)
    await work.run(job('tests'), (tx) => repository.addDeliveries(tests.in(orgId), tx, rows.slice(from, from + 250)));
  const turn = () => oneAttempt(store, { job: tellWebhook, key: webhookId, runner: aRunner() });
  await turn();
  expect(countOf('/full')).toBe(0);
  await repository.changeDelivery(tests.in(orgId), rows[0]!, { state: 'dead' });
  await turn();
  expect(countOf('/full')).toBe(1);
  await repository.deleteDeliveries(tests.in(orgId), webhookId);
});

test('a webhook that is turned off while it is told gets nothing more', async () => {
  const orgId = await anOrganisation(1, '/off');
  await happen(orgId);
  const { id: webhookId, url, types, version } = await webhookOf(orgId);
  answering.push(async () => {
    await service.change(given(orgId, { params: { webhookId }, body: { url, types, version, isOn: false } }));
    return 204;
  });
  await aWorker().run();
  expect(countOf('/off')).toBe(1);
  expect((await deliveriesOf(orgId)).filter(({ state }) => state === 'waiting')).toEqual([]);
});

test('an event that comes while a webhook is told does not wait for the next attempt at an older one', async () => {
  const orgId = await anOrganisation(1, '/busy');
  answering.push(async () => {
    await happen(orgId);
    return 500;
  });
  const worker = aWorker();
  await worker.run();
  clock.advance(1_000);
  await worker.run();
  const states = (await deliveriesOf(orgId)).map(({ state }) => state);
  expect(states.toSorted()).toEqual(['delivered', 'waiting']);
});

test('a receiver that has just failed gets the next delivery a second later, whatever happens meanwhile', async () => {
  const orgId = await anOrganisation(1, '/tired');
  answering.push(() => Promise.resolve(500));
  const worker = aWorker();
  await worker.run();
  await happen(orgId);
  await worker.run();
  expect(countOf('/tired')).toBe(1);
  clock.advance(1_000);
  await worker.run();
  expect(countOf('/tired')).toBe(2);
});

test('webhooks that were on in an earlier version are told, also where the migration is interrupted', async () => {
  const orgId = await anOrganisation(1, '/before');
  await mongo.connection.collection('jobs').deleteMany({});
  for (const migration of [webhooksToJobs, webhooksToJobs])
    for (let cursor = await migration.batch(mongo, null); cursor !== null;)
      cursor = await migration.batch(mongo, cursor);
  await aWorker().run();
  expect(await deliveriesOf(orgId)).toMatchObject([{ state: 'delivered' }]);
});
