import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { membershipAdded, organisationCreated, organisationUpdated } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { EventContext, EventStrategy } from '../index.ts';
import { MemoryDoorbell } from '../../../ports/doorbell/index.ts';
import { Outbox } from '../../outbox/index.ts';
import { NoReporter } from '../../../ports/reporter/index.ts';
import { ProblemFilter } from '../../../edge/service/index.ts';
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

type Updated = EventEnvelope<DataOf<typeof organisationUpdated>>;
let bench: ConsumerBench;
const batches: number[] = [];

@Controller()
class Consumers {
  @EventPattern<string>(organisationUpdated.type, { consumer: 'seat' })
  async takeSeat(@Payload() event: Updated, @Ctx() context: EventContext): Promise<void> {
    await bench.write('seat', event, context.tx);
    if (event.data.version === 2) await failLater();
  }

  @EventPattern<string>(organisationUpdated.type, { consumer: 'bill' })
  async bill(@Payload() event: Updated, @Ctx() context: EventContext): Promise<void> {
    await bench.write('bill', event, context.tx);
  }

  @EventPattern([organisationUpdated.type, organisationCreated.type], { consumer: 'count', kind: 'batch' })
  async count(@Payload() events: Updated[], @Ctx() context: EventContext): Promise<void> {
    batches.push(events.length);
    for (const event of events) await bench.write('count', event, context.tx);
  }
}

async function failLater(): Promise<never> {
  await Promise.resolve();
  throw new RangeError('version two is out of range');
}

@Controller()
class Nameless {
  @EventPattern<string>(organisationUpdated.type)
  async handle(): Promise<void> {}
}

@Controller()
class Doubled {
  @EventPattern<string>(organisationUpdated.type, { consumer: 'seat' })
  async one(): Promise<void> {}

  @EventPattern<string>(membershipAdded.type, { consumer: 'seat' })
  async other(): Promise<void> {}
}

@Controller()
class Unknown {
  @EventPattern<string>('nobody.knows.v1', { consumer: 'seat' })
  async handle(): Promise<void> {}
}

/** Counts the subscriptions of the test bench's bus that start from now on and aren't closed. */
function countSubscriptions(): { readonly count: number } {
  const open = { count: 0 };
  const { bus } = bench;
  const subscribe = bus.subscribe.bind(bus);
  bus.subscribe = async (wanted) => {
    const running = await subscribe(wanted);
    open.count += 1;
    return {
      ...running,
      lag: (topic) => running.lag(topic),
      close: () => running.close().then(() => void (open.count -= 1)),
    };
  };
  return open;
}

/** Connects an `EventStrategy` as `startNestService` does, without HTTP. */
async function start(controller: Type): Promise<{ strategy: EventStrategy; close(): Promise<void> }> {
  @Module({ controllers: [controller] })
  class Root {}
  const strategy = new EventStrategy({
    bus: bench.bus,
    mongo: bench.mongo,
    outbox: new Outbox({ mongo: bench.mongo, doorbell: new MemoryDoorbell(), source: 'service' }),
    group: 'service',
    logger: silentLogger(),
    retryDelaysMs: [20, 40],
  });
  await bench.mongo.applyIndexes();
  const app = await NestFactory.create(Root, { logger: false, abortOnError: false });
  app.useGlobalFilters(
    new ProblemFilter({ logger: silentLogger(), reporter: new NoReporter(), deployable: 'billing' }),
  );
  app.connectMicroservice({ strategy }, { inheritAppConfig: true });
  try {
    await app.startAllMicroservices();
  } catch (error) {
    await app.close();
    throw error;
  }
  return { strategy, close: () => app.close() };
}

describe('Nest event handlers', () => {
  let store: TestStore;
  beforeAll(async () => {
    store = await startTestStore();
  });
  afterAll(() => store.close());
  beforeEach(async () => {
    batches.length = 0;
    bench = await ConsumerBench.make(store, makeEmbeddedEventLog);
  });
  afterEach(() => bench.close());

  test('an async error reaches the dead letter with its own message and stack, and rolls back its writes', async () => {
    const orgId = anOrgId();
    const service = await start(Consumers);
    await bench.publish(...updatesOf(orgId, 3));
    await bench.eventuallyWrote('bill', [1, 2, 3]);
    const [letter] = await bench.eventuallyBuried(service.strategy.runtime, 1);
    expect(letter).toMatchObject({
      consumer: 'seat',
      attempts: 3,
      cause: { name: 'RangeError', message: 'version two is out of range' },
    });
    expect(letter!.cause.stack).toContain('failLater');
    expect(await bench.versions('seat')).toEqual([1]);
    await service.close();
  });

  test('a projection gets arrays of envelopes, and patterns of one method are one consumer', async () => {
    await bench.publish(...updatesOf(anOrgId(), 10));
    const service = await start(Consumers);
    await bench.eventuallyWrote('count', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(Math.max(...batches)).toBeGreaterThan(1);
    await service.close();
  });

  test('closing the application ends the consumers, and the next process handles later events', async () => {
    const open = countSubscriptions();
    const service = await start(Consumers);
    expect(open.count).toBe(1);
    await service.close();
    expect(open.count).toBe(0);
    await bench.publish(anOrganisationUpdate(anOrgId(), 1));
    const next = await start(Consumers);
    await bench.eventuallyWrote('bill', [1]);
    await next.close();
    expect(open.count).toBe(0);
  });

  test.each([
    ['without a consumer name', Nameless, /names no consumer/],
    ['with one name twice', Doubled, /seat/],
    ['for an event that is none', Unknown, /nobody\.knows\.v1/],
  ])('a handler %s fails the start', async (_case, controller, message) => {
    await expect(start(controller)).rejects.toThrow(message);
  });
});
