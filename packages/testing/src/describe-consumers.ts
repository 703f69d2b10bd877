import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { organisationUpdated } from '@parley/contracts';
import { effectOf, EventRejected, type EffectHandler } from '@parley/platform/event-bus';
import { createLogger } from '@parley/platform/logging';
import { collection, jobScope, Mongo } from '@parley/platform/mongo';
import type { EventEnvelope } from '@parley/protocol';
import { anOrganisationUpdate, anOrgId, aProvidersChange, updatesOf, versionOf } from './builders.ts';
import type { MakeEventLog } from './bus-harness.ts';
import { ConsumerBench } from './consumer-bench.ts';
import { describeBatches } from './describe-batches.ts';
import { describeFormerNames } from './describe-former-names.ts';
import { describeJointDelivery } from './describe-joint-delivery.ts';
import { describeParking } from './describe-parking.ts';
import { eventually } from './eventually.ts';
import { startStoreSwitch } from './store-switch.ts';
import { startTestStore, type TestStore } from './test-store.ts';
import { z } from 'zod';

const effectsOfCut = collection('effects', { _id: z.string(), version: z.number() }, { tenant: 'platform' });

let store: TestStore;
let bench: ConsumerBench;

/** What services may rely on when their handlers run over a bus. */
export function describeConsumers(name: string, makeLog: MakeEventLog): void {
  describe(`consumers: ${name}`, () => {
    beforeAll(async () => {
      store = await startTestStore();
    });
    afterAll(() => store.close());
    beforeEach(async () => {
      bench = await ConsumerBench.make(store, makeLog);
    });
    afterEach(() => bench.close());

    describeEffects();
    describeInterruptions();
    describeUnusualEvents();
    describeBatches(() => bench);
    describeJointDelivery(() => bench);
    describeParking(() => bench);
    describeFormerNames(() => bench);
  });
}

const writer = (consumer: string): EffectHandler =>
  effectOf(consumer, organisationUpdated, (event, tx) => bench.write(consumer, event, tx));
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

function describeEffects(): void {
  describe('effects', () => {
    test('each event has its effect once, in order per key', async () => {
      const [one, two] = [anOrgId(), anOrgId()];
      const events = [updatesOf(one, 100), updatesOf(two, 100)];
      await bench.publish(...events[0]!.flatMap((event, index) => [event, events[1]![index]!]));
      await bench.run([writer('seat')]);
      await bench.eventuallyWrote('seat', range(100), one);
      await bench.eventuallyWrote('seat', range(100), two);
    });

    test('a repeated event has no second effect', async () => {
      const events = updatesOf(anOrgId(), 3);
      await bench.run([writer('seat')]);
      await bench.publish(...events);
      await bench.publish(...events);
      await bench.publish(anOrganisationUpdate(events[0]!.subject as never, 4), events[1]!);
      await bench.eventuallyWrote('seat', [1, 2, 3, 4]);
    });

    test('what a handler wrote before it threw is not kept', async () => {
      let tries = 0;
      const handler = effectOf('seat', organisationUpdated, async (event, tx) => {
        await bench.write('seat', event, tx);
        tries += 1;
        if (tries < 3) throw new Error('after writing');
      });
      await bench.run([handler]);
      await bench.publish(anOrganisationUpdate(anOrgId(), 1));
      await bench.eventuallyWrote('seat', [1]);
      expect(tries).toBe(3);
    });

    test('a consumer without a name or with one twice is refused', async () => {
      await expect(bench.run([writer('')])).rejects.toThrow('consumer name');
      await expect(bench.run([writer('seat'), writer('seat')])).rejects.toThrow('seat');
    });
  });
}

function describeInterruptions(): void {
  describe('interruptions', () => {
    test('a failure between effect and offset repeats the batch, not the effect, and a line says which event came again', async () => {
      let failures = 3;
      const failpoint = async (): Promise<void> => {
        failures -= 1;
        if (failures >= 0) throw new Error('the process would be gone here');
      };
      const lines: object[] = [];
      const destination = { write: (line: string) => void lines.push(JSON.parse(line) as object) };
      const logger = createLogger({ name: 'test', destination });
      const runtime = await bench.run([writer('seat'), writer('count')], { failpoint, logger });
      const events = updatesOf(anOrgId(), 4);
      await bench.publish(...events);
      await eventually(async () => failures < 0 && (await runtime.lag()) === 0, 'the batch is taken in the end');
      expect([await bench.versions('seat'), await bench.versions('count')]).toEqual([range(4), range(4)]);
      const { id: eventId, correlationid: traceId } = events[1]!;
      const line = { msg: 'an event came again', consumer: 'seat', eventId, traceId };
      expect(lines).toContainEqual(expect.objectContaining(line));
    });

    test('after a restart nothing is lost and nothing is repeated', async () => {
      const orgId = anOrgId();
      const events = updatesOf(orgId, 60);
      await bench.run([writer('seat'), writer('count')]);
      await bench.publish(...events.slice(0, 20));
      await bench.eventuallyWrote('seat', range(20));
      await bench.restart();
      await bench.publish(...events.slice(20, 40));
      await bench.restart();
      await bench.run([writer('seat'), writer('count')]);
      await bench.publish(...events.slice(40));
      await bench.eventuallyWrote('seat', range(60));
      await bench.eventuallyWrote('count', range(60));
    });

    test.each([
      ['the handler passes the error on', 200, (error: unknown) => error],
      ['the handler wraps the error', 200, (error: unknown) => new Error('not saved', { cause: error })],
      ['the handler hides the error', 1_600, () => new Error('not saved')],
    ])(
      'a store that goes away again and again uses up no retries: %s',
      async (_case, outageMs, thrown) => {
        const way = await startStoreSwitch(store.freshDatabase());
        const cut = await Mongo.connect(way.uri);
        const rows = cut.rows(effectsOfCut);
        const effects = rows.within(jobScope('tests'));
        let outages = 2;
        const handler = effectOf('seat', organisationUpdated, async (event, tx) => {
          outages -= 1;
          if (outages >= 0) {
            way.off();
            setTimeout(() => void way.on(), outageMs);
          }
          const row = { _id: event.id, version: versionOf(event) };
          await rows
            .within(jobScope('tests'), tx)
            .insert(row)
            .catch((error: unknown) => {
              throw thrown(error);
            });
        });
        try {
          const runtime = await bench.run([handler], { mongo: cut, retryDelaysMs: [1] });
          await bench.publish(anOrganisationUpdate(anOrgId(), 1));
          await eventually(async () => (await effects.count({})) === 1, 'the effect is there when the store is back');
          expect([
            outages < 0,
            await runtime.deadLetters.list(),
            await cut.connection.db!.collection('parked_events').countDocuments(),
          ]).toEqual([true, [], 0]);
          await runtime.close();
        } finally {
          await cut.close();
          await way.close();
        }
      },
      60_000,
    );
  });
}

function describeUnusualEvents(): void {
  describe('unusual events', () => {
    test('events without a handler are skipped', async () => {
      const orgId = anOrgId();
      const other: EventEnvelope = { ...aProvidersChange(orgId, 1), type: 'somebody.elses.v9' };
      const runtime = await bench.run([writer('seat')]);
      await bench.publish(other, anOrganisationUpdate(orgId, 1));
      await bench.eventuallyWrote('seat', [1]);
      await eventually(async () => (await runtime.lag()) === 0, 'nothing waits');
      expect(await runtime.deadLetters.list()).toEqual([]);
    });

    test('malformed records and data that fits no schema become dead letters and stop nothing', async () => {
      const orgId = anOrgId();
      const malformed = { ...anOrganisationUpdate(orgId, 1), time: 'yesterday' } as EventEnvelope;
      const unfit: EventEnvelope = { ...anOrganisationUpdate(orgId, 2), data: { orgId, version: 'two' } };
      const runtime = await bench.run([writer('seat')]);
      await bench.publish(malformed, unfit, anOrganisationUpdate(orgId, 3));
      await bench.eventuallyWrote('seat', [3]);
      const letters = await bench.eventuallyBuried(runtime, 2);
      expect(new Set(letters.map((letter) => `${letter.reason} of ${letter.consumer}`))).toEqual(
        new Set(['malformed of service', 'rejected of seat']),
      );
      expect(letters.find((letter) => letter.reason === 'malformed')!.envelope).toContain(malformed.id);
    });

    test('a rejected event becomes a dead letter at once and the events behind it go on', async () => {
      const orgId = anOrgId();
      let isRefused = true;
      const handler = effectOf('seat', organisationUpdated, async (event, tx) => {
        if (isRefused && event.data.version === 2)
          throw new EventRejected('never version two', { cause: new Error('because') });
        await bench.write('seat', event, tx);
      });
      const runtime = await bench.run([handler]);
      await bench.publish(...updatesOf(orgId, 3));
      await bench.eventuallyWrote('seat', [1, 3]);
      const [letter] = await bench.eventuallyBuried(runtime, 1);
      expect(letter).toMatchObject({
        reason: 'rejected',
        attempts: 1,
        key: null,
        cause: { name: 'EventRejected', message: 'never version two' },
      });
      expect(letter!.cause.stack).toContain('because');
      isRefused = false;
      expect(await runtime.deadLetters.replay(letter!.id)).toBe(true);
      await bench.eventuallyWrote('seat', [1, 3, 2]);
      await bench.eventuallyBuried(runtime, 0);
    });
  });
}
