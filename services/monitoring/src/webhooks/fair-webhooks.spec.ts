import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EventEnvelope, OrgId } from '@parley/contracts';
import { Sealer } from '@parley/platform/crypto';
import type { Shares } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { aPerson, eventually, silentLogger, testStore } from '@parley/testing';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventStream } from '../event-stream/index.ts';
import { WebhookSender } from './webhook-sender.ts';
import { WebhookWorker } from './webhook-worker.ts';
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
  const shares = { of } as unknown as Shares;
  const worker = new WebhookWorker(repository, stream, sender, sealer, work, clock, platform, shares);
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
