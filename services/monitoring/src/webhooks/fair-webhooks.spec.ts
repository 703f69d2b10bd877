import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { WebhookId } from '@parley/contracts';
import { Sealer } from '@parley/platform/crypto';
import type { Flows } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { EventEnvelope, OrgId } from '@parley/protocol';
import { aPerson, eventually, silentLogger, testStore } from '@parley/testing';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStream } from '../event-stream/index.ts';
import { WebhookSender } from './webhook-sender.ts';
import { WebhookWorker } from './webhook-worker.ts';
import { newDelivery, testEvent } from './webhook.ts';
import { WebhooksRepository } from './webhooks.repository.ts';
import { WebhooksService } from './webhooks.service.ts';

const { mongo, work, clock, ready } = await testStore();
const tests = jobScope('tests');
const stream = new EventStream(mongo, clock);
const repository = new WebhooksRepository(mongo);
const sealer = new Sealer(Buffer.alloc(32, 1));
const platform = { logger: silentLogger() } as unknown as Platform;
/** Receivers at this path never answer. */
const hanging = '/hang';
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  request.resume();
  if (request.url !== hanging) response.writeHead(204).end();
});
let address: string;
let sender: WebhookSender;
let service: WebhooksService;
const workers: WebhookWorker[] = [];
beforeAll(async () => {
  await ready();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  asked.length = 0;
  sender = new WebhookSender({ mayEverybodyTest: false, hasDsn: false, outboundAllow: [address] });
  service = new WebhooksService(repository, stream, sender, sealer, work, clock);
});
afterEach(async () => {
  server.closeAllConnections();
  for (const worker of workers.splice(0)) await worker.onModuleDestroy();
  await mongo.connection.collection('webhooks').deleteMany({});
  await mongo.connection.collection('webhook_deliveries').deleteMany({});
  await sender.onApplicationShutdown();
});
afterAll(() => void server.close());

function aWorker(of = (orgId: OrgId): string => orgId): WebhookWorker {
  const flows = { of } as unknown as Flows;
  const worker = new WebhookWorker(repository, stream, sender, sealer, work, clock, platform, flows);
  workers.push(worker);
  return worker;
}
/** An organisation with so many webhooks, in which something has happened. */
async function anOrganisation(count: number, path: string): Promise<OrgId> {
  const orgId = newId('organisation');
  const given = (more: object) => ({ scope: tests.in(orgId), principal: aPerson(), ...more }) as never;
  for (let made = 0; made < count; made += 1) {
    const body = { id: newId('webhook'), url: `http://${address}${path}`, types: ['group.*'] };
    await service.create(given({ body }));
  }
  const data = { orgId, groupId: newId('group'), change: 'created' };
  const about = { source: 'org', subject: orgId, tenantid: orgId, sequence: 1, data };
  const type = 'group.changed.v1';
  const event = { specversion: '1.0', id: newId('event'), type, time: clock.now().toISOString(), ...about };
  await work.run(job('tests'), (tx) => stream.append(tests.in(orgId), tx, [event as unknown as EventEnvelope]));
  return orgId;
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
  await worker.idle();
  await worker.look();
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
  await worker.onModuleDestroy();
  const deliveries = mongo.connection.collection('webhook_deliveries');
  expect(await deliveries.find().toArray()).toMatchObject([{ state: 'waiting', attempts: 0, lastFailure: null }]);
  await aWorker().look();
  await untilAsked(hanging, 2);
});

test('where 1,000 deliveries of a webhook wait, what happens is taken once there are fewer', async () => {
  const orgId = await anOrganisation(1, '/full');
  const webhook = await mongo.connection.collection('webhooks').findOne({ orgId });
  const webhookId = String(webhook?._id) as WebhookId;
  const at = clock.now();
  const rows = Array.from({ length: 1_000 }, () => {
    const event = testEvent({ id: newId('event'), webhookId, orgId, at });
    return { ...newDelivery({ webhookId, orgId, event, at }), nextAt: new Date(at.getTime() + 3_600_000) };
  });
  for (let from = 0; from < rows.length; from += 250)
    await work.run(job('tests'), (tx) => repository.addDeliveries(tests.in(orgId), tx, rows.slice(from, from + 250)));
  const worker = aWorker();
  const turn = async () => {
    await worker.look();
    await worker.idle();
  };
  await turn();
  expect(countOf('/full')).toBe(0);
  await repository.changeDelivery(tests.in(orgId), rows[0]!, { state: 'dead' });
  await turn();
  expect(countOf('/full')).toBe(1);
  await repository.deleteDeliveries(tests.in(orgId), webhookId);
});
