import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { defineRoute } from '@parley/protocol';
import { collection, jobScope, Mongo } from './index.ts';
import { newId } from '../../base/ids/index.ts';
import { feature } from '../../edge/service/index.ts';
import { z } from 'zod';
import {
  aPerson,
  eventually,
  OwnerBench,
  startStoreSwitch,
  startTestStore,
  type StoreSwitch,
  type TestStore,
} from '@parley/testing';

const thingRows = collection('rows', { _id: z.string() }, { tenant: 'platform' });
const scope = jobScope('tests');
const own = { service: 'org', scope: 'person', cost: 'read', response: z.unknown() } as const;
const routes = {
  read: defineRoute({ ...own, route: 'GET /api/org/test-read' }),
  write: defineRoute({ ...own, route: 'POST /api/org/test-write' }),
  follow: defineRoute({ ...own, route: 'GET /api/org/test-follow', patienceMs: 600_000 }),
};
/** Resolves once the other callers have got their error. */
let told = Promise.withResolvers<void>();

/** Handlers that read, write in a transaction, and wait for more than the store. */
@Injectable()
class Handlers {
  constructor(private readonly mongo: Mongo) {}

  read(): Promise<unknown> {
    return this.mongo.connection.collection('rows').findOne({});
  }

  async write(): Promise<object> {
    const rows = this.mongo.rows(thingRows);
    await this.mongo.transaction((session) => rows.within(scope, { session }).insert({ _id: newId('event') }));
    return {};
  }

  async follow(): Promise<object> {
    await told.promise;
    return { isTold: true };
  }
}

let store: TestStore;
let way: StoreSwitch;
let service: OwnerBench;
beforeAll(async () => {
  store = await startTestStore();
  way = await startStoreSwitch(store.freshDatabase());
  service = await OwnerBench.start(store, 'org', {
    modules: [feature({ routes, handlers: Handlers as never })],
    providers: () => [],
    group: null,
    platform: { openStore: () => Mongo.connect(way.uri) },
  });
});
afterEach(() => way.on());
afterAll(async () => {
  await service.close();
  await way.close();
  await store.close();
});

const ask = async (route: (typeof routes)[keyof typeof routes]) => {
  const response = await service.call(route, { as: aPerson() });
  const body = (await response.json()) as { code?: string };
  return { answer: body.code ?? body, status: response.status };
};

test.each([
  ['says nothing', () => way.hang()],
  ['is gone', () => way.off()],
])(
  'a caller that reads or writes when the store %s gets an error, and a caller that waits for more than the store keeps waiting',
  async (_what, happens) => {
    await eventually(async () => expect((await ask(routes.write)).status).toBe(200), 'the store should be there');
    told = Promise.withResolvers();
    happens();
    const followed = ask(routes.follow);
    const asked = await Promise.all([ask(routes.read), ask(routes.write)]);
    told.resolve();
    expect(asked.map(({ status, answer }) => [status, answer])).toEqual(asked.map(() => [503, 'platform.unavailable']));
    expect(await followed).toMatchObject({ status: 200, answer: { isTold: true } });
    expect(await ask(routes.read)).toMatchObject({ status: 503 });
    await way.on();
    await eventually(async () => expect((await ask(routes.read)).status).toBe(200), 'it should be back');
  },
  180_000,
);
