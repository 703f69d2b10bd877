import { describe, expect, test } from '@jest/globals';
import { organisationUpdated } from '@parley/contracts';
import { effectOf, type BatchHandler, type EventHandler } from '@parley/platform/event-bus';
import { anOrganisationUpdate, anOrgId, updatesOf } from './builders.ts';
import type { ConsumerBench } from './consumer-bench.ts';
import { eventually } from './eventually.ts';

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Tests what consumers of a service can rely on while they share transactions. */
export function describeJointDelivery(bench: () => ConsumerBench): void {
  const writer = (consumer: string, before: (version: number) => void = () => undefined): EventHandler =>
    effectOf(consumer, organisationUpdated, async (event, tx) => {
      before(event.data.version);
      await bench().write(consumer, event, tx);
    });
  const adder: BatchHandler = {
    kind: 'batch',
    consumer: 'count',
    events: [organisationUpdated],
    handleAll: async (events, tx) => {
      for (const event of events) await bench().write('count', event, tx);
    },
  };
  const all = ['seat', 'bill', 'count'];
  /** Returns the consumers in the inbox row of each event. */
  const consumersOf = async (ids: readonly string[]): Promise<(string[] | undefined)[]> => {
    const inbox = bench().mongo.connection.collection<{ _id: string; consumers: string[] }>('event_inbox');
    const rows = await inbox.find({ _id: { $in: [...ids] } }).toArray();
    return ids.map((id) => rows.find(({ _id }) => _id === id)?.consumers.toSorted());
  };

  describe('joint delivery', () => {
    test('consumers of all kinds share the transactions of the events, and one inbox row lists them', async () => {
      const sessions = new Map<string, unknown>();
      const seen = (handler: EventHandler): EventHandler =>
        handler.kind === 'effect'
          ? {
              ...handler,
              handle: (event, tx) => (sessions.set(handler.consumer, tx.session), handler.handle(event, tx)),
            }
          : handler;
      await bench().run([seen(writer('seat')), seen(writer('bill')), adder]);
      const events = updatesOf(anOrgId(), 50);
      await bench().publish(...events);
      for (const consumer of all) await bench().eventuallyWrote(consumer, range(50));
      expect(sessions.get('seat')).toBe(sessions.get('bill'));
      const rows = await consumersOf(events.map(({ id }) => id));
      expect(rows).toEqual(events.map(() => ['bill', 'count', 'seat']));
    });

    test('one that fails takes nothing from the others, and its key alone is left out from then on', async () => {
      const orgId = anOrgId();
      let isPoison = true;
      const seat = writer('seat', (version) => {
        if (isPoison && version === 2) throw new Error('poison');
      });
      const runtime = await bench().run([seat, writer('bill'), adder]);
      await bench().publish(...updatesOf(orgId, 3));
      const [letter] = await bench().eventuallyBuried(runtime, 1);
      const behind = [anOrganisationUpdate(orgId, 4), anOrganisationUpdate(orgId, 5)];
      await bench().publish(...behind);
      for (const consumer of ['bill', 'count']) await bench().eventuallyWrote(consumer, range(5));
      expect(await bench().versions('seat')).toEqual([1]);
      const ids = behind.map(({ id }) => id);
      await eventually(
        async () => expect(await consumersOf(ids)).toEqual(ids.map(() => ['bill', 'count'])),
        'the others have what waits for this one',
      );
      isPoison = false;
      expect(await runtime.deadLetters.replay(letter!.id)).toBe(true);
      await bench().eventuallyWrote('seat', range(5));
      expect(await consumersOf(ids)).toEqual(ids.map(() => ['bill', 'count', 'seat']));
      for (const consumer of ['bill', 'count']) expect(await bench().versions(consumer)).toEqual(range(5));
    });

    test('a failure between the transaction and the offset repeats the effect of none', async () => {
      let failures = 2;
      const failpoint = async (): Promise<void> => {
        failures -= 1;
        if (failures >= 0) throw new Error('the process would be gone here');
      };
      const runtime = await bench().run([writer('seat'), writer('bill'), adder], { failpoint });
      await bench().publish(...updatesOf(anOrgId(), 4));
      await eventually(async () => failures < 0 && (await runtime.lag()) === 0, 'the batch is taken in the end');
      for (const consumer of all) expect(await bench().versions(consumer)).toEqual(range(4));
    });

    test('a consumer that is new hears of what comes again, and the others do not', async () => {
      const events = updatesOf(anOrgId(), 3);
      await bench().run([writer('seat'), adder], { group: 'first' });
      await bench().publish(...events);
      for (const consumer of ['seat', 'count']) await bench().eventuallyWrote(consumer, range(3));
      await bench().restart();
      const runtime = await bench().run([writer('bill'), writer('seat'), adder], { group: 'second' });
      await bench().eventuallyWrote('bill', range(3));
      await eventually(async () => (await runtime.lag()) === 0, 'the new group has read the log');
      for (const consumer of ['seat', 'count']) expect(await bench().versions(consumer)).toEqual(range(3));
    });

    test('events keep their order per key for each consumer while one of them fails now and then', async () => {
      const [one, other] = [anOrgId(), anOrgId()];
      let calls = 0;
      const flaky = writer('seat', () => {
        calls += 1;
        if (calls % 7 === 0) throw new Error('now and then');
      });
      await bench().run([flaky, writer('bill'), adder], { retryDelaysMs: [1, 1, 1, 1] });
      const [ones, others] = [updatesOf(one, 40), updatesOf(other, 40)];
      await bench().publish(...ones.flatMap((event, index) => [event, others[index]!]));
      for (const consumer of all)
        for (const orgId of [one, other]) await bench().eventuallyWrote(consumer, range(40), orgId);
    });
  });
}
