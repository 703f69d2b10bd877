import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { runningLimits, waitingLimits } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import type { RouteContract } from '@parley/protocol';
import type { Caller } from './rate-limits.ts';
import { RequestSlots } from './request-slots.ts';

const route = { route: 'GET /api/chat/conversations' } as unknown as RouteContract;
const stream = { ...route, stream: 'text/event-stream' } as RouteContract;
const [ines, omar] = [newId('user'), newId('user')].map((userId) => ({ userId, orgId: null })) as [Caller, Caller];
const most = runningLimits.requests.person;
const times = (count: number) => Array.from({ length: count });

let counts: Counts;
let slots: RequestSlots;
beforeEach(() => {
  jest.useFakeTimers();
  counts = new Counts(new MemoryKv());
  slots = new RequestSlots(counts);
});
afterEach(() => void jest.useRealTimers());

const full = () => Promise.all(times(most).map(() => slots.take(ines, route)));

test('a person has so many requests at once; the next waits for a slot, and others do not', async () => {
  const [first, ...others] = await full();
  let isIn = false;
  const next = slots.take(ines, route).then((release) => {
    isIn = true;
    return release;
  });
  const other = await slots.take(omar, route);
  expect(isIn).toBe(false);
  first!();
  const last = await next;
  for (const release of [...others, last, other]) release();
  expect(slots.size).toBe(0);
});

test('who waits for too long, or has too many that wait, is told when to come back', async () => {
  const releases = await full();
  const late = times(waitingLimits.most).map(() => slots.take(ines, route).catch((error: unknown) => error));
  await expect(slots.take(ines, route)).rejects.toMatchObject({ code: 'platform.rate-limited' });
  await jest.advanceTimersByTimeAsync(10_000);
  expect((await Promise.all(late)).map((problem) => (problem as { code: string }).code)).toEqual(
    times(waitingLimits.most).map(() => 'platform.rate-limited'),
  );
  for (const release of releases) release();
  expect(slots.size).toBe(0);
});

test('streams are not counted', async () => {
  await full();
  await expect(slots.take(ines, stream)).resolves.toEqual(expect.any(Function));
});

test('what another replica has under way counts, and is waited for', async () => {
  const other = new RequestSlots(counts);
  const releases = await Promise.all(times(most).map(() => other.take(ines, route)));
  let isIn = false;
  const next = slots.take(ines, route).then((release) => {
    isIn = true;
    release();
  });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(isIn).toBe(false);
  releases[0]!();
  await jest.advanceTimersByTimeAsync(300);
  await next;
  const again = await slots.take(ines, route);
  const late = slots.take(ines, route).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(11_000);
  expect(await late).toMatchObject({ code: 'platform.rate-limited' });
  again();
  expect(slots.size).toBe(0);
});

describe('uploads', () => {
  const upload = { ...route, scope: 'organisation', rawBodyLimit: 1 } as RouteContract;
  const { person, organisation } = runningLimits.uploads;

  test('are counted apart, and wait as other requests do', async () => {
    await full();
    let running = 0;
    let mostAtOnce = 0;
    const send = async () => {
      const release = await slots.take(ines, upload);
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
    const releases = await Promise.all(times(organisation).map(() => slots.take(colleague(), upload)));
    const [next, late] = [slots.take(colleague(), upload), slots.take(colleague(), upload)];
    const refused = late.catch((error: unknown) => error);
    releases[0]!();
    await jest.advanceTimersByTimeAsync(10_000);
    await next;
    expect(await refused).toMatchObject({
      code: 'platform.rate-limited',
      extras: { detail: expect.stringMatching(/^Your organisation has 200 files/) as unknown },
    });
  });
});
