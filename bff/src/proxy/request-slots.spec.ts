import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { RouteContract } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { mostRequestsOfPerson, mostWaitingOfPerson, RequestSlots } from './request-slots.ts';

const route = { route: 'GET /api/chat/conversations' } as unknown as RouteContract;
const stream = { ...route, stream: 'text/event-stream' } as RouteContract;
const [ines, omar] = [newId('user'), newId('user')];
const times = (count: number) => Array.from({ length: count });

let slots: RequestSlots;
beforeEach(() => {
  jest.useFakeTimers();
  slots = new RequestSlots();
});
afterEach(() => void jest.useRealTimers());

const full = () => Promise.all(times(mostRequestsOfPerson).map(() => slots.take(ines, route)));

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
  const late = times(mostWaitingOfPerson).map(() => slots.take(ines, route).catch((error: unknown) => error));
  await expect(slots.take(ines, route)).rejects.toMatchObject({ code: 'platform.rate-limited' });
  await jest.advanceTimersByTimeAsync(10_000);
  expect((await Promise.all(late)).map((problem) => (problem as { code: string }).code)).toEqual(
    times(mostWaitingOfPerson).map(() => 'platform.rate-limited'),
  );
  for (const release of releases) release();
  expect(slots.size).toBe(0);
});

test('streams are not counted', async () => {
  await full();
  await expect(slots.take(ines, stream)).resolves.toEqual(expect.any(Function));
});
