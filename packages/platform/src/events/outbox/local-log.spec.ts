import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { organisationUpdated } from '@parley/contracts';
import type { EventEnvelope, OrgId } from '@parley/protocol';
import {
  anOrgId,
  eventually,
  Listener,
  startTestStore,
  versionOf,
  watchCommands,
  type TestStore,
} from '@parley/testing';
import { createLogger } from '../../base/logging/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { collection, jobScope, Mongo, type Transaction } from '../../rows/mongo/index.ts';
import { z } from 'zod';
import { EmbeddedEventBus } from '../event-bus/embedded/embedded-event-bus.ts';
import { logRows, logScope } from '../event-bus/embedded/log.collection.ts';
import { job, Work } from '../work/index.ts';
import { Outbox } from './index.ts';

const placeRows = collection('places', { _id: z.string(), taken: z.number() }, { tenant: 'platform' });
const scope = jobScope('tests');
let store: TestStore;
let uri: string;
let mongo: Mongo;
let log: EmbeddedEventBus;
let work: Work;
let failpoint: () => Promise<void>;
/** The lines that were written to the logger. */
let lines: string[];
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  failpoint = () => Promise.resolve();
  lines = [];
  uri = store.freshDatabase();
  mongo = await Mongo.connect(store.freshDatabase(), { link: store.link });
  await openLog();
  await mongo.applyIndexes();
});
afterEach(async () => {
  await log.close();
  await mongo.close();
});

/** Opens the log and the outbox of a service that writes to it, like a starting process. */
async function openLog(sweepMs = 3_600_000): Promise<void> {
  const own = await Mongo.connect(uri, { link: store.link });
  const logger = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
  log = await EmbeddedEventBus.open({ mongo: own, logger, sweepMs, failpoint: () => failpoint() });
  work = new Work({ outbox: new Outbox({ mongo, doorbell: new MemoryDoorbell(), source: 'org', log }) });
}
const run = <Result>(act: (tx: Transaction) => Promise<Result>) => work.run(job('tests the log'), act);
const record = (orgId: OrgId, version: number) => run(async (tx) => tx.record(organisationUpdated, { orgId, version }));
const told = (events: readonly EventEnvelope[]) =>
  events.map((event) => `${event.subject} ${event.sequence} ${versionOf(event)}`);

/** Stops the next transactions between their events and their commits. */
function halted(): { readonly reached: () => number; readonly release: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let reached = 0;
  failpoint = () => {
    reached += 1;
    return promise;
  };
  return {
    reached: () => reached,
    release: () => {
      failpoint = () => Promise.resolve();
      resolve();
    },
  };
}

test('writes an event once, in the transaction that changes its state', async () => {
  const listener = await Listener.join(log);
  await record(anOrgId(), 1);
  const { commands, stop } = watchCommands();
  await record(anOrgId(), 2);
  await eventually(() => listener.events.length === 2, 'both are delivered').finally(stop);
  const written = commands.map(({ what }) => what).filter((what) => !what.startsWith('group_offsets'));
  expect(written).toEqual(['outbox_sequences.findAndModify', 'records.insert', 'commit']);
  expect(await mongo.connection.collection('outbox').countDocuments()).toBe(0);
});

test('writes a single event by one command; readers get it in the order of the log', async () => {
  const listener = await Listener.join(log);
  const orgId = anOrgId();
  const alone = () => work.record(job('tests the log'), organisationUpdated, { orgId, version: 1 });
  const { reached, release } = halted();
  const transaction = record(anOrgId(), 2);
  await eventually(() => reached() === 1, 'the transaction should have its offset');
  const { commands, stop } = watchCommands();
  await alone().finally(stop);
  expect(commands.map(({ what }) => what)).toContain('records.insert');
  expect(listener.events).toEqual([]);
  release();
  await transaction;
  await eventually(() => listener.events.length === 2, 'both are delivered');
  expect(told(listener.events)[1]).toBe(`${orgId} 1 1`);
  expect(listener.events[1]).toMatchObject({ actor: 'job:tests the log' });
});

test('skips a single event whose write was refused', async () => {
  const listener = await Listener.join(log);
  const orgId = anOrgId();
  await record(orgId, 1);
  const { topic } = organisationUpdated;
  const taken = { _id: `${topic}|2`, topic, offset: 2, eventId: 'x', envelope: '{}', at: new Date() };
  await (await Mongo.connect(uri, { link: store.link })).rows(logRows).within(logScope).insert(taken);
  await expect(work.record(job('tests the log'), organisationUpdated, { orgId, version: 2 })).rejects.toThrow();
  await record(orgId, 3);
  await eventually(() => listener.events.length === 2, 'the others are delivered');
  expect(told(listener.events)).toEqual([`${orgId} 1 1`, `${orgId} 2 3`]);
});

test('a transaction that is rolled back after its events leaves neither an event nor a gap', async () => {
  const listener = await Listener.join(log);
  const orgId = anOrgId();
  await record(orgId, 1);
  failpoint = () => Promise.reject(new Error('undone'));
  await expect(record(orgId, 2)).rejects.toThrow('undone');
  failpoint = () => Promise.resolve();
  await record(orgId, 3);
  await eventually(() => listener.events.length === 2, 'both committed events are delivered');
  expect(told(listener.events)).toEqual([`${orgId} 1 1`, `${orgId} 2 3`]);
  expect(await listener.lag()).toBe(0);
});

test('a transaction whose later write is refused leaves neither an event nor a gap', async () => {
  const listener = await Listener.join(log);
  const orgId = anOrgId();
  const places = mongo.rows(placeRows);
  await places.within(scope).insert({ _id: 'one', taken: 0 });
  const refused = run(async (tx) => {
    tx.record(organisationUpdated, { orgId, version: 1 });
    await places.within(scope, tx).later.insertMany([{ _id: 'one', taken: 1 }]);
  });
  await expect(refused).rejects.toThrow('E11000');
  await record(orgId, 2);
  await eventually(() => listener.events.length === 1, 'the committed event is delivered');
  expect(told(listener.events)).toEqual([`${orgId} 1 2`]);
});

test('a transaction that runs again publishes the events of its last run only', async () => {
  const listener = await Listener.join(log);
  const places = mongo.rows(placeRows);
  await places.within(scope).insert({ _id: 'one', taken: 0 });
  let runs = 0;
  work.accompany(async (_events, tx) => {
    runs += 1;
    if (runs === 1) await places.within(scope).update({ _id: 'one' }, { $inc: { taken: 1 } });
    await places.within(scope, tx).update({ _id: 'one' }, { $inc: { taken: 1 } });
  });
  const orgId = anOrgId();
  await record(orgId, 1);
  await eventually(() => listener.events.length > 0, 'the event is delivered');
  expect([runs, told(listener.events), await listener.lag()]).toEqual([2, [`${orgId} 1 1`], 0]);
});

test('writes events of one subject to the log in the order of their transactions’ commits', async () => {
  const listener = await Listener.join(log);
  const orgId = anOrgId();
  const { reached, release } = halted();
  const first = record(orgId, 1);
  await eventually(() => reached() === 1, 'the first one has its event');
  const second = record(orgId, 2);
  release();
  await Promise.all([first, second]);
  await eventually(() => listener.events.length === 2, 'both are delivered');
  expect(told(listener.events)).toEqual([`${orgId} 1 1`, `${orgId} 2 2`]);
});

test('readers wait for the transaction with lower offsets, whichever of two ends first', async () => {
  const early = await Listener.join(log);
  const [one, other] = [anOrgId(), anOrgId()];
  const { reached, release } = halted();
  const first = record(one, 1);
  await eventually(() => reached() === 1, 'the first one has its event');
  failpoint = () => Promise.resolve();
  await record(other, 2);
  const late = await Listener.join(log, { group: 'late' });
  const watching = await Listener.join(log, { group: 'watching', kind: 'watch' });
  expect([early.events, late.events, await early.lag()]).toEqual([[], [], 0]);
  release();
  await first;
  for (const listener of [early, late, watching])
    await eventually(() => listener.events.length === 2, 'both are delivered');
  for (const { events } of [early, late, watching]) expect(events.map(versionOf)).toEqual([1, 2]);
});

test('doesn’t deliver an event whose transaction was open when the process ended, and delivers the next one', async () => {
  const before = await Listener.join(log);
  await record(anOrgId(), 1);
  await eventually(() => before.events.length === 1, 'the first is delivered');
  failpoint = () => Promise.reject(new Error('the process would be gone here'));
  await expect(record(anOrgId(), 2)).rejects.toThrow('gone');
  failpoint = () => Promise.resolve();
  await log.close();
  await openLog();
  const after = await Listener.join(log);
  await record(anOrgId(), 3);
  await eventually(() => after.events.length > 0, 'the next one is delivered');
  expect([after.events.map(versionOf), after.batches[0]!.lastOffset]).toEqual([[3], '2']);
});

test('many concurrent transactions publish exactly what they commit, in the order of each subject', async () => {
  const listener = await Listener.join(log, { batchSize: 7 });
  const subjects = Array.from({ length: 5 }, anOrgId);
  const committed: number[] = [];
  const one = async (version: number): Promise<void> => {
    await run(async (tx) => {
      tx.record(organisationUpdated, { orgId: subjects[version % 5]!, version });
      if (version % 3 === 0) throw new Error('undone');
    });
    committed.push(version);
  };
  await Promise.allSettled(Array.from({ length: 60 }, (_, version) => one(version)));
  await eventually(() => listener.events.length === committed.length, 'all committed events are delivered');
  expect(listener.events.map(versionOf).toSorted((one, two) => one - two)).toEqual(
    committed.toSorted((one, two) => one - two),
  );
  for (const subject of subjects) {
    const sequences = listener.events.filter((event) => event.subject === subject).map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.map((_sequence, index) => index + 1));
  }
}, 120_000);

test('logs a gap in the sequence of a subject', async () => {
  const orgId = anOrgId();
  for (const sequence of [1, 2, 4])
    await run(async (tx) => tx.record(organisationUpdated, { orgId, version: sequence }, { sequence }));
  expect(lines.filter((line) => line.includes('has a gap'))).toHaveLength(1);
});

test('delivers an event whose commit got no response only if it was committed', async () => {
  await log.close();
  await openLog(50);
  const listener = await Listener.join(log);
  const orgId = anOrgId();
  let isCommitted = true;
  const transaction: Mongo['transaction'] = async (act) => {
    await mongo
      .transaction(async (session) => {
        await act(session);
        if (!isCommitted) throw new Error('not committed');
      })
      .catch(() => undefined);
    throw new Error('nobody knows');
  };
  const silent = Object.assign(Object.create(mongo) as Mongo, { transaction });
  const unlucky = new Work({
    outbox: new Outbox({ mongo: silent, doorbell: new MemoryDoorbell(), source: 'org', log }),
  });
  for (isCommitted of [true, false]) {
    const recording = unlucky.run(job('tests the log'), async (tx) =>
      tx.record(organisationUpdated, { orgId, version: isCommitted ? 1 : 2 }),
    );
    await expect(recording).rejects.toThrow('nobody knows');
  }
  await record(orgId, 3);
  await eventually(() => listener.events.length === 2, 'both committed events are delivered');
  expect(told(listener.events)).toEqual([`${orgId} 1 1`, `${orgId} 2 3`]);
});
