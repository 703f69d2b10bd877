import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { organisationUpdated } from '@parley/contracts';
import { createLogger, type Logger } from '../../base/logging/index.ts';
import {
  anOrgId,
  eventually,
  Listener,
  makeEmbeddedEventLog,
  OutboxBench,
  startTestStore,
  type TestStore,
} from '@parley/testing';

const gap = 'the sequence of a subject has a gap';
/** Longer than the second between two looks of an idle relay: shorter leases end between two looks. */
const leases = { leaseMs: 3_000 };
let store: TestStore;
let bench: OutboxBench;
let lines: string[];
let logger: Logger;

beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());
beforeEach(async () => {
  lines = [];
  logger = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
  bench = await OutboxBench.make(store, makeEmbeddedEventLog);
});
afterEach(() => bench.close());

const gaps = (): string[] => lines.filter((line) => line.includes(gap));

test('events that another relay published in between don’t count as a gap', async () => {
  const listener = await Listener.join(bench.bus);
  const orgs = Array.from({ length: 24 }, anOrgId);
  const publishAll = async (version: number): Promise<void> => {
    for (const orgId of orgs) await bench.record(orgId, version);
    await eventually(() => listener.events.length === orgs.length * version, `every subject is at ${version}`);
  };
  await bench.startRelay({ ...leases, logger });
  await publishAll(1);
  const other = await bench.startRelay(leases);
  const heldByOther = async (): Promise<number> => {
    const rows = await bench.mongo.connection
      .collection('outbox_shards')
      .find({ _id: { $lt: 16 } } as never)
      .toArray();
    const live = rows.filter(({ leaseUntil }) => (leaseUntil as Date) > new Date());
    return Math.min(...Object.values(Object.groupBy(live, ({ owner }) => owner as string)).map((own) => own!.length));
  };
  await eventually(async () => (await heldByOther()) === 8, 'the other one holds its share');
  await publishAll(2);
  await other.close();
  await publishAll(3);
  expect(gaps()).toEqual([]);
});

test('reports a gap among the events that a relay published itself', async () => {
  const listener = await Listener.join(bench.bus);
  await bench.startRelay({ ...leases, logger });
  const orgId = anOrgId();
  for (const sequence of [1, 3])
    await bench.run(async (tx) => tx.record(organisationUpdated, { orgId, version: sequence }, { sequence }));
  await eventually(() => listener.events.length === 2, 'both are published');
  await eventually(() => gaps().length === 1, 'the gap is told');
  expect(JSON.parse(gaps()[0]!)).toMatchObject({ subject: orgId, sequence: 3, last: 1 });
});
