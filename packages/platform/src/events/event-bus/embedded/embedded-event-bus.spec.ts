import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import { EmbeddedEventBus } from './embedded-event-bus.ts';
import { Mongo } from '../../../rows/mongo/index.ts';
import {
  anOrganisationUpdate,
  anOrgId,
  describeEventBus,
  eventually,
  Listener,
  makeEmbeddedEventLog,
  silentLogger,
  startTestStore,
  type TestStore,
  updatesOf,
  versionOf,
} from '@parley/testing';

describeEventBus('embedded', makeEmbeddedEventLog, { survivesRestart: true, broker: null });

describe('embedded event log', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.close());

  test('skips records that retention deleted, and offsets keep rising', async () => {
    const uri = store.freshDatabase();
    const retention = await Mongo.connect(uri, { link: store.link });
    const open = async (): Promise<EmbeddedEventBus> =>
      EmbeddedEventBus.open({ mongo: await Mongo.connect(uri, { link: store.link }), logger: silentLogger() });
    const orgId = anOrgId();
    let bus = await open();
    await bus.publish(topics.org, updatesOf(orgId, 5));
    await bus.close();
    await retention.connection.db!.collection('records').deleteMany({});

    bus = await open();
    const listener = await Listener.join(bus);
    await eventually(async () => (await listener.lag()) === 0, 'nothing waits for a deleted record');
    await bus.publish(topics.org, [anOrganisationUpdate(orgId, 6)]);
    await eventually(() => listener.events.length === 1, 'the next event is delivered');
    expect([versionOf(listener.events[0]!), listener.batches[0]!.lastOffset]).toEqual([6, '6']);
    await bus.close();
    await retention.close();
  });

  test('refuses a second writer on the same log before it can break the order', async () => {
    const uri = store.freshDatabase();
    const open = async (): Promise<EmbeddedEventBus> =>
      EmbeddedEventBus.open({ mongo: await Mongo.connect(uri, { link: store.link }), logger: silentLogger() });
    const [one, other] = [await open(), await open()];
    const orgId = anOrgId();
    await one.publish(topics.org, [anOrganisationUpdate(orgId, 1)]);
    await other.publish(topics.org, [anOrganisationUpdate(orgId, 2)]);
    await expect(one.publish(topics.org, [anOrganisationUpdate(orgId, 3)])).rejects.toThrow('E11000');
    await one.publish(topics.org, [anOrganisationUpdate(orgId, 3)]);
    const listener = await Listener.join(one);
    await eventually(() => listener.events.length === 3, 'all three are in the log');
    expect(listener.events.map(versionOf)).toEqual([1, 2, 3]);
    await one.close();
    await other.close();
  });
});
