import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { organisationUpdated, topics } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { effectOf, type ConsumerRuntime } from '../../events/consumers/index.ts';
import { OutboxRelay } from '../../events/outbox/index.ts';
import { OwnEvents } from './index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import {
  anOrganisationUpdate,
  anOrgId,
  ConsumerBench,
  makeEmbeddedEventLog,
  silentLogger,
  startTestStore,
  type TestStore,
  updatesOf,
} from '@parley/testing';

const secret = 'ada@example.com wrote:\n    at night (/tmp/diary.ts:1:2)';
let store: TestStore;
let bench: ConsumerBench;
let runtime: ConsumerRuntime;
let own: OwnEvents;
let orgId: OrgId;
let isPoison: (version: number) => boolean;

beforeAll(async () => {
  store = await startTestStore();
}, 60_000);
afterAll(() => store.close());
beforeEach(async () => {
  bench = await ConsumerBench.make(store, makeEmbeddedEventLog);
  [orgId, isPoison] = [anOrgId(), (version) => version === 1];
  const seat = effectOf('seat', organisationUpdated, async (event, tx) => {
    await bench.write('seat', event, tx);
    if (event.subject === orgId && isPoison(event.data.version))
      throw Object.assign(new TypeError(secret), { code: 'E_SEATS' });
  });
  runtime = await bench.run([seat]);
  const { mongo, bus } = bench;
  const failpoint = () => Promise.resolve();
  const doorbell = new MemoryDoorbell();
  const relay = new OutboxRelay({ mongo, bus, doorbell, source: 'org', logger: silentLogger(), failpoint });
  own = new OwnEvents(runtime, relay);
});
afterEach(() => bench.close());

test('shows topics, waiting events, and the error of a dead letter without its message', async () => {
  await bench.publish(...updatesOf(orgId, 3), anOrganisationUpdate(anOrgId(), 1));
  const [letter] = await bench.eventuallyBuried(runtime, 1);
  const health = await own.health(orgId);
  expect(health).toEqual({
    readers: [{ topic: topics.org, behind: 0 }],
    outbox: { waiting: 0, oldestMs: 0 },
    parkedKeys: 1,
    letterCount: 1,
    letters: [
      {
        id: letter!.id,
        consumer: 'seat',
        type: organisationUpdated.type,
        eventId: letter!.eventId,
        reason: 'failed',
        cause: {
          name: 'TypeError',
          code: 'E_SEATS',
          place: expect.stringMatching(/^packages\/platform\/src\/edge\/service\/event-health\.spec\.ts:\d+$/),
        },
        attempts: 3,
        at: letter!.at.toISOString(),
        waiting: 2,
        isRetrying: false,
        isOfAll: false,
      },
    ],
  });
  expect(JSON.stringify(health)).not.toMatch(/ada@|diary|night/);
});

test('shows an organisation its own dead letters and those of no organisation, never those of another', async () => {
  await bench.publish(anOrganisationUpdate(orgId, 1));
  await bench.eventuallyBuried(runtime, 1);
  expect(await own.health(anOrgId())).toMatchObject({ parkedKeys: 0, letterCount: 0, letters: [] });
  const [letter] = await runtime.deadLetters.list();
  expect(await own.tryAgain(anOrgId(), [letter!.id])).toMatchObject([{ outcome: 'gone' }]);
  expect(await own.replay(anOrgId(), [letter!.id])).toBe(0);
  await bench.mongo.connection.collection('dead_letters').updateMany({}, { $set: { tenant: null } });
  expect(await own.health(anOrgId())).toMatchObject({ letterCount: 1, letters: [{ isOfAll: true }] });
});

test('a dry run says what would happen, writes nothing, and keeps the dead letter as it was', async () => {
  await bench.publish(...updatesOf(orgId, 2));
  const [letter] = await bench.eventuallyBuried(runtime, 1);
  const before = await runtime.deadLetters.find(letter!.id);
  const ids = [letter!.id, 'seat|evt_nobody'];
  expect(await own.tryAgain(orgId, ids)).toEqual([
    { id: letter!.id, outcome: 'fails', cause: expect.objectContaining({ name: 'TypeError', code: 'E_SEATS' }) },
    { id: ids[1], outcome: 'gone', cause: null },
  ]);
  isPoison = () => false;
  expect(await own.tryAgain(orgId, ids.slice(0, 1))).toEqual([{ id: letter!.id, outcome: 'passes', cause: null }]);
  expect(await bench.versions('seat', orgId)).toEqual([]);
  expect(await runtime.deadLetters.find(letter!.id)).toEqual(before);
  expect(await own.replay(orgId, ids)).toBe(1);
  await bench.eventuallyWrote('seat', [1, 2], orgId);
  await bench.eventuallyBuried(runtime, 0);
  expect(await own.tryAgain(orgId, ids.slice(0, 1))).toMatchObject([{ outcome: 'gone' }]);
  expect(await own.replay(orgId, ids)).toBe(0);
});
