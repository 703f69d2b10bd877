import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { cursorOf, lastEventHeader, type OutsideEvent } from '@parley/contracts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { NoMetrics } from '@parley/platform/telemetry';
import { job } from '@parley/platform/work';
import type { EventEnvelope, OrgId, ProblemCode } from '@parley/protocol';
import { aPerson, testStore, silentLogger } from '@parley/testing';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { EventStreamConsumer } from './event-stream.consumer.ts';
import { EventStream } from './event-stream.ts';
import { FollowEventsService } from './follow-events.service.ts';
import { Readers } from './readers.ts';

const { mongo, work, clock, ready } = await testStore();
const tests = jobScope('tests');
const revoked = new Set<string>();
let tellRevoked = () => undefined;
/** Whether revocations are known up to now. */
let isFresh = true;
const platform = {
  doorbell: new MemoryDoorbell(),
  logger: silentLogger(),
  metrics: new NoMetrics(),
  revocations: {
    isFresh: () => isFresh,
    isRevoked: ({ sessionKey }: { sessionKey: string }) => revoked.has(sessionKey),
    onRevoked: (listener: () => undefined) => ((tellRevoked = listener), () => undefined),
  },
} as unknown as Platform;
const stream = new EventStream(mongo, clock);
const consumer = new EventStreamConsumer(stream, platform);
let readers: Readers;
let service: FollowEventsService;
let orgId: OrgId;
let sessionKey: string;
/** How far the machine's own time is ahead of what it was. */
let timeAhead = 0;
const now = performance.now.bind(performance);
jest.spyOn(performance, 'now').mockImplementation(() => now() + timeAhead);
beforeAll(ready);
beforeEach(() => {
  isFresh = true;
  readers = new Readers(stream, platform);
  readers.onModuleInit();
  service = new FollowEventsService(stream, readers, platform, clock);
  [orgId, sessionKey] = [newId('organisation'), newId('apiKey')];
});
afterEach(() => readers.onModuleDestroy());

const happened = (extra: Partial<EventEnvelope> = {}, of = orgId): EventEnvelope => ({
  specversion: '1.0',
  id: newId('event'),
  source: 'org',
  type: 'group.changed.v1',
  time: clock.now().toISOString(),
  subject: of,
  tenantid: of,
  sequence: 1,
  actor: 'person:usr_1',
  onbehalfof: null,
  correlationid: 'c',
  causationid: null,
  traceparent: null,
  data: { orgId: of, groupId: newId('group'), change: 'created', plannedLater: 'a word' },
  ...extra,
});
const keep = (...events: EventEnvelope[]) =>
  work.run(job('tests'), (tx) => consumer.keep(events, { tx } as unknown as Parameters<typeof consumer.keep>[1]));
const keepSome = async (count: number) => {
  const events = Array.from({ length: count }, () => happened());
  await keep(...events);
  return events.map(({ id }) => id);
};

type Asked = { cursor?: string; type?: string[]; follow?: 'true' | 'false' };
async function follow(query: Asked = {}, header?: string) {
  const response = new EventEmitter();
  const request = { res: response, header: (name: string) => (name === lastEventHeader ? header : undefined) };
  const principal = aPerson({ sessionKey, organisation: { orgId, permissions: ['events:read'], rightsVersion: 1 } });
  const pieces = await service.follow({ scope: tests.in(orgId), principal, query, request } as never);
  return { pieces: pieces[Symbol.asyncIterator](), leave: () => response.emit('close') };
}
const eventsIn = (text: string) =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as OutsideEvent);
/** Everything that is kept after the place. */
async function readAll(query: Asked = {}, header?: string) {
  const { pieces } = await follow({ ...query, follow: 'false' }, header);
  let text = '';
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) text += piece.value;
  return eventsIn(text);
}
/** `toThrow` is typed for errors only. */
const problem = (code: ProblemCode) => expect.objectContaining({ code }) as unknown as Error;
const idsOf = (events: readonly OutsideEvent[]) => events.map(({ id }) => id);

describe('what is told', () => {
  test('is a CloudEvent of ids, numbers and states: neither who did it nor a field that nobody has named', async () => {
    const event = happened();
    await keep(event);
    const { id, time } = event;
    const { groupId } = event.data as { groupId: string };
    expect(await readAll({ cursor: '0' })).toEqual([
      {
        specversion: '1.0',
        id,
        source: 'org',
        type: 'group.changed.v1',
        time,
        subject: orgId,
        tenantid: orgId,
        sequence: 1,
        datacontenttype: 'application/json',
        data: { groupId, change: 'created' },
      },
    ]);
  });

  test('is numbered without a hole, in each organisation for itself', async () => {
    const other = newId('organisation');
    const [first, second, third] = [happened(), happened(), happened()];
    await keep(first, happened({}, other), second);
    await keep(third, happened({}, other));
    const told = await readAll({ cursor: '0' });
    expect(idsOf(told)).toEqual(idsOf([first, second, third] as never));
    expect(told.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test('is not what is told again, nor what a transaction told that failed', async () => {
    await keep(happened({ snapshot: true }));
    const failing = work.run(job('tests'), async (tx) => {
      await stream.append(tests.in(orgId), tx, [happened()]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const [only] = await keepSome(1);
    const told = await readAll({ cursor: '0' });
    expect(told.map(({ id, sequence }) => [id, sequence])).toEqual([[only, 1]]);
  });

  test('has each place once when several tell of an organisation at the same time', async () => {
    await Promise.all(Array.from({ length: 5 }, () => keepSome(3)));
    const told = await readAll({ cursor: '0' });
    expect(told.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 15 }, (_, index) => index + 1));
  });
});

test('what is kept are the newest 100,000, looked at each time 100 more have come', async () => {
  const kept = 100_000;
  // As it is after 100,098 events, of which these are still there.
  await keepSome(3);
  await mongo.connection.collection('event_stream').updateMany({ orgId }, { $inc: { position: 98 } });
  const heads = mongo.connection.collection<{ _id: string }>('event_stream_heads');
  await heads.updateOne({ _id: orgId }, { $set: { position: kept + 98 } });
  const positions = async () => (await stream.after(tests.in(orgId), 0, 10)).map((row) => row.position);
  await keepSome(1);
  expect(await positions()).toEqual([99, 100, 101, kept + 99]);
  await keepSome(1);
  expect(await positions()).toEqual([101, kept + 99, kept + 100]);
});

describe('where a reader begins', () => {
  test('now, at its cursor, or at the oldest; the header of a reader that was cut wins', async () => {
    const ids = await keepSome(3);
    expect(await readAll()).toEqual([]);
    expect(idsOf(await readAll({ cursor: '0' }))).toEqual(ids);
    expect(idsOf(await readAll({ cursor: cursorOf(orgId, 1) }))).toEqual(ids.slice(1));
    expect(idsOf(await readAll({ cursor: '0' }, cursorOf(orgId, 2)))).toEqual(ids.slice(2));
  });

  test('nowhere with a cursor of another organisation, or with none that was ours', async () => {
    await keepSome(1);
    for (const cursor of [cursorOf(newId('organisation'), 0), 'x', `${orgId}.`, `${orgId}.1.1`, `${orgId}.-1`, '1'])
      await expect(readAll({ cursor })).rejects.toThrow(problem('platform.invalid-request'));
    await expect(readAll({}, cursorOf(newId('organisation'), 0))).rejects.toThrow('cursor');
  });

  test('after a gap that is named, where what came next is not kept any more', async () => {
    const ids = await keepSome(5);
    await mongo.connection.collection('event_stream').deleteMany({ orgId, position: { $lte: 3 } });
    const [gap, ...told] = await readAll({ cursor: cursorOf(orgId, 1) });
    expect(gap).toMatchObject({ type: 'stream.gap.v1', data: { from: cursorOf(orgId, 1), to: cursorOf(orgId, 3) } });
    expect(idsOf(told)).toEqual(ids.slice(3));
    expect(idsOf(await readAll({ cursor: '0' }))).toEqual(ids.slice(3));
    await mongo.connection.collection('event_stream').deleteMany({ orgId });
    expect((await readAll({ cursor: cursorOf(orgId, 4) })).map(({ data }) => data)).toEqual([
      { from: cursorOf(orgId, 4), to: cursorOf(orgId, 5) },
    ]);
  });

  test('after a gap, where the store was set back behind its cursor', async () => {
    await keepSome(2);
    expect((await readAll({ cursor: cursorOf(orgId, 9) })).map(({ data }) => data)).toEqual([
      { from: cursorOf(orgId, 9), to: cursorOf(orgId, 2) },
    ]);
  });
});

test('a filter leaves out what it does not name, and the cursor goes on all the same', async () => {
  await keep(
    happened(),
    happened({ type: 'role.changed.v1', data: { roleId: 'rol_1', change: 'created' } }),
    happened(),
  );
  expect((await readAll({ cursor: '0', type: ['role.*'] })).map(({ type }) => type)).toEqual(['role.changed.v1']);
  const { pieces, leave } = await follow({ cursor: '0', type: ['document.changed.v1'] });
  await pieces.next();
  const waiting = pieces.next();
  leave();
  expect((await waiting).done).toBe(true);
});

describe('a reader that follows', () => {
  test('hears at once of what happens, from wherever it was', async () => {
    const { pieces, leave } = await follow();
    expect((await pieces.next()).value).toMatch(/^retry: 3000\n\nid: org_\w+\.0\n: /);
    const waiting = pieces.next();
    const [id] = await keepSome(1);
    expect(idsOf(eventsIn((await waiting).value as string))).toEqual([id]);
    leave();
  });

  test('reads a page at a time, and the next one when it asks for it', async () => {
    const ids = await keepSome(64);
    ids.push(...(await keepSome(64)));
    const { pieces, leave } = await follow({ cursor: '0' });
    await pieces.next();
    expect(eventsIn((await pieces.next()).value as string)).toHaveLength(100);
    await keepSome(1);
    const rest = idsOf(eventsIn((await pieces.next()).value as string));
    expect(rest).toHaveLength(29);
    expect(rest.slice(0, 28)).toEqual(ids.slice(100));
    leave();
  });

  test.each([
    ['its key or right is revoked', () => (revoked.add(sessionKey), tellRevoked())],
    ['the process ends', () => void readers.onModuleDestroy()],
  ])('ends when %s', async (_why, act) => {
    const { pieces } = await follow();
    await pieces.next();
    const waiting = pieces.next();
    act();
    expect((await waiting).done).toBe(true);
  });

  test('hears nothing while nobody can tell who was revoked, and goes on afterwards, until its time is over', async () => {
    const { pieces } = await follow();
    await pieces.next();
    isFresh = false;
    const [id] = await keepSome(1);
    let isTold = false;
    const waiting = pieces.next().then((piece) => ((isTold = true), piece));
    await delay(300);
    expect(isTold).toBe(false);
    isFresh = true;
    expect(idsOf(eventsIn((await waiting).value as string))).toEqual([id]);
    isFresh = false;
    const [, last] = [await keepSome(1), pieces.next()];
    await delay(50);
    timeAhead += 5 * 60_000;
    expect((await last).done).toBe(true);
  });

  test('comes back through the gate after five minutes', async () => {
    const { pieces } = await follow();
    await pieces.next();
    timeAhead += 5 * 60_000 - 30_000;
    const [id] = await keepSome(1);
    expect(idsOf(eventsIn((await pieces.next()).value as string))).toEqual([id]);
    timeAhead += 30_000;
    await keepSome(1);
    expect((await pieces.next()).done).toBe(true);
  });
});
