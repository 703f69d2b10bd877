import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { membershipAdded, organisationUpdated, topics } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import {
  anOrganisationUpdate,
  anOrgId,
  eventually,
  Listener,
  silentLogger,
  startTestStore,
  updatesOf,
  versionOf,
  type TestStore,
} from '@parley/testing';
import { afterAll, beforeAll } from '@jest/globals';
import { newId } from '../../base/ids/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { Mongo } from '../../rows/mongo/index.ts';
import { EmbeddedEventBus } from '../event-bus/embedded/embedded-event-bus.ts';
import { job, originFor, Work, workOfMigration } from '../work/index.ts';
import { emptyOutbox, Outbox, writeSnapshots } from './index.ts';

let store: TestStore;
let mongo: Mongo;
let log: EmbeddedEventBus;
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  mongo = await Mongo.connect(store.freshDatabase(), { link: store.link });
  log = await EmbeddedEventBus.open({
    mongo: await Mongo.connect(store.freshDatabase(), { link: store.link }),
    logger: silentLogger(),
  });
  new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'org' });
  await mongo.applyIndexes();
});
afterEach(async () => {
  await log.close();
  await mongo.close();
});

const outbox = () => mongo.connection.collection<{ _id: string; envelope: string }>('outbox');
const recordWith = (work: Work, orgId: OrgId, version: number) =>
  work.run(job('tests'), async (tx) => tx.record(organisationUpdated, { orgId, version }));

test('publishes events that were recorded while no service ran once and in order, before newer ones', async () => {
  const [one, other] = [anOrgId(), anOrgId()];
  const before = workOfMigration(mongo, 'org');
  for (let version = 1; version <= 230; version += 1) await recordWith(before, version % 2 ? one : other, version);
  await emptyOutbox(mongo, log);
  await emptyOutbox(mongo, log);
  const work = new Work({ outbox: new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'org', log }) });
  await recordWith(work, one, 231);
  const listener = await Listener.join(log);
  await eventually(() => listener.events.length === 231, 'all are delivered');
  for (const orgId of [one, other]) {
    const own = listener.events.filter(({ subject }) => subject === orgId);
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_event, index) => index + 1));
    expect(own.map(versionOf)).toEqual(own.map(versionOf).toSorted((first, second) => first - second));
  }
  expect(await outbox().countDocuments()).toBe(0);
}, 60_000);

test('doesn’t publish an event again that a killed 0.3.0 published and didn’t delete', async () => {
  const work = workOfMigration(mongo, 'org');
  const orgId = anOrgId();
  for (const version of [1, 2, 3]) await recordWith(work, orgId, version);
  const rows = await outbox().find({}).sort({ sequence: 1 }).toArray();
  await log.publish(topics.org, [
    ...updatesOf(anOrgId(), 2),
    ...rows.slice(0, 2).map((row) => JSON.parse(row.envelope)),
  ]);
  await emptyOutbox(mongo, log);
  const listener = await Listener.join(log);
  await eventually(() => listener.events.length >= 5, 'the third is delivered');
  expect(listener.events.filter(({ subject }) => subject === orgId).map(versionOf)).toEqual([1, 2, 3]);
});

test('publishes a snapshot even if the log has the event', async () => {
  const [orgId, userId] = [anOrgId(), newId('user')];
  const membership = { orgId, userId, role: 'member', rightsVersion: 1 } as const;
  const logged = new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'org', log });
  await new Work({ outbox: logged }).run(job('tests'), async (tx) => tx.record(membershipAdded, membership));
  const operators = new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'org' });
  await writeSnapshots({ mongo, outbox: operators, origin: originFor(job('tests')) }, (write) =>
    write(membershipAdded, membership),
  );
  await emptyOutbox(mongo, log);
  await log.publish(topics.org, [anOrganisationUpdate(orgId, 1)]);
  const listener = await Listener.join(log);
  await eventually(() => listener.events.length === 3, 'the event and its snapshot are delivered');
  expect(listener.ids[0]).toBe(listener.ids[1]);
  expect(listener.events.map(({ snapshot }) => snapshot ?? false)).toEqual([false, true, false]);
});
