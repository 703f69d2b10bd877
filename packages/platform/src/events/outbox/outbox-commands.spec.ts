import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { organisationUpdated } from '@parley/contracts';
import {
  anOrgId,
  countCommands,
  eventually,
  Listener,
  makeEmbeddedEventLog,
  OutboxBench,
  startTestStore,
  type TestStore,
  versionOf,
} from '@parley/testing';

let store: TestStore;
let bench: OutboxBench;
beforeAll(async () => {
  store = await startTestStore();
  bench = await OutboxBench.make(store, makeEmbeddedEventLog);
});
afterAll(async () => {
  await bench.close();
  await store.close();
});

test('takes sequences of many subjects in as few commands as those of one', async () => {
  const listener = await Listener.join(bench.bus);
  await bench.startRelay();
  const [one, two, ...others] = Array.from({ length: 60 }, () => anOrgId());
  await bench.recordAll(one!, [1]);
  const orgIds = [one!, two!, one!, ...others, two!, one!];
  const commands = await countCommands(() =>
    bench.run(async (tx) => {
      for (const [version, orgId] of orgIds.entries()) tx.record(organisationUpdated, { orgId, version });
    }),
  );
  // Includes the commands of the relay, which starts meanwhile.
  expect(commands).toBeLessThan(30);
  await eventually(() => listener.events.length === 64, 'all events are published');
  const published = [one!, two!, others[0]!].map((orgId) =>
    listener.events.filter(({ subject }) => subject === orgId).map((event) => `${event.sequence}: ${versionOf(event)}`),
  );
  expect(published).toEqual([['1: 1', '2: 0', '3: 2', '4: 62'], ['1: 1', '2: 61'], ['1: 3']]);
});
