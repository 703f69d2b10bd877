import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { costClasses, waitingLimits } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import type { RouteContract } from '@parley/protocol';
import type { Request, Response } from 'express';
import { EventEmitter } from 'node:events';
import type { Admitted } from './api-gate.ts';
import { AtOnceGate } from './at-once.ts';
import type { Caller } from './rate-limits.ts';

const route = { route: 'GET /api/chat/conversations', cost: 'read', scope: 'organisation' } as unknown as RouteContract;
const write = { ...route, cost: 'write' } as RouteContract;
const [ines, omar] = [newId('user'), newId('user')].map((userId) => ({ userId, orgId: null })) as [Caller, Caller];
const most = costClasses.read.atOnce.person;
const times = (count: number) => Array.from({ length: count });

let counts: Counts;
let gate: AtOnceGate;
beforeEach(() => {
  jest.useFakeTimers();
  counts = new Counts(new MemoryKv());
  gate = new AtOnceGate(counts);
});
afterEach(() => void jest.useRealTimers());

/** Takes it as a request does whose response the returned function closes. */
async function take(caller: Caller | null, of: RouteContract, at = gate): Promise<() => void> {
  const response = new EventEmitter();
  const request = Object.assign(new EventEmitter(), { headers: {}, ip: '192.0.2.1' });
  await at.take({ route: of, caller } as Admitted, request as unknown as Request, response as unknown as Response);
  return () => void response.emit('close');
}
const full = () => Promise.all(times(most).map(() => take(ines, route)));

test('a person has so many requests at once; the next waits for a slot, and others do not', async () => {
  const [first, ...others] = await full();
  let isIn = false;
  const next = take(ines, route).then((release) => {
    isIn = true;
    return release;
  });
  const other = await take(omar, route);
  expect(isIn).toBe(false);
  first!();
  const last = await next;
  for (const release of [...others, last, other]) release();
  expect(gate.lineCount).toBe(0);
});

test('who waits for too long, or has too many that wait, is told when to come back', async () => {
  const releases = await full();
  const late = times(waitingLimits.most).map(() => take(ines, route).catch((error: unknown) => error));
  await expect(take(ines, route)).rejects.toMatchObject({ code: 'platform.rate-limited' });
  await jest.advanceTimersByTimeAsync(10_000);
  expect((await Promise.all(late)).map((problem) => (problem as { code: string }).code)).toEqual(
    times(waitingLimits.most).map(() => 'platform.rate-limited'),
  );
  for (const release of releases) release();
  expect(gate.lineCount).toBe(0);
});

test('visitors who share an address wait, too', async () => {
  const releases = await Promise.all(times(costClasses.read.atOnce.address).map(() => take(null, route)));
  const next = take(null, route);
  await take(ines, route);
  expect(gate.lineCount).toBe(1);
  releases[0]!();
  await next;
});

test('each class counts for itself', async () => {
  await full();
  await expect(take(ines, write)).resolves.toEqual(expect.any(Function));
});

test('what another replica has under way counts, and is waited for', async () => {
  const other = new AtOnceGate(counts);
  const releases = await Promise.all(times(most).map(() => take(ines, route, other)));
  let isIn = false;
  const next = take(ines, route).then((release) => {
    isIn = true;
    release();
  });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(isIn).toBe(false);
  releases[0]!();
  await jest.advanceTimersByTimeAsync(300);
  await next;
  const again = await take(ines, route);
  const late = take(ines, route).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(11_000);
  expect(await late).toMatchObject({ code: 'platform.rate-limited' });
  again();
  expect(gate.lineCount).toBe(0);
});

test('a browser that sends 20 requests at once to two replicas is refused none', async () => {
  const replicas = [gate, new AtOnceGate(counts)];
  let [running, mostAtOnce] = [0, 0];
  const send = async (_unused: unknown, at: number) => {
    const release = await take(ines, route, replicas[at % 2]);
    mostAtOnce = Math.max(mostAtOnce, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 100));
    running -= 1;
    release();
  };
  const sent = Promise.all(times(20).map(send));
  await jest.advanceTimersByTimeAsync(2_000);
  await sent;
  expect([mostAtOnce, running]).toEqual([most, 0]);
  expect(replicas.map(({ lineCount }) => lineCount)).toEqual([0, 0]);
});

describe('uploads', () => {
  const upload = { ...route, cost: 'upload', rawBodyLimit: 1 } as RouteContract;
  const { person, organisation } = costClasses.upload.atOnce;

  test('are counted apart, and wait as other requests do', async () => {
    await full();
    let running = 0;
    let mostAtOnce = 0;
    const send = async () => {
      const release = await take(ines, upload);
      mostAtOnce = Math.max(mostAtOnce, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      running -= 1;
      release();
    };
    const sent = Promise.all(times(50).map(send));
    await jest.advanceTimersByTimeAsync(8_000);
    await sent;
    expect([mostAtOnce, running]).toEqual([person, 0]);
  });

  test('wait while the organisation sends as many as it can, and are refused after that', async () => {
    const orgId = newId('organisation');
    const colleague = (): Caller => ({ userId: newId('user'), orgId });
    const releases = await Promise.all(times(organisation).map(() => take(colleague(), upload)));
    const [next, late] = [take(colleague(), upload), take(colleague(), upload)];
    const refused = late.catch((error: unknown) => error);
    releases[0]!();
    await jest.advanceTimersByTimeAsync(10_000);
    await next;
    expect(await refused).toMatchObject({
      code: 'platform.rate-limited',
      extras: { detail: expect.stringMatching(/^Your organisation has 200 of these/) as unknown },
    });
  });
});
