import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { runningLimits } from '@parley/contracts';
import { newId } from '../../base/ids/index.ts';
import { MemoryKv } from '../../ports/kv/index.ts';
import { Counts, type Holder } from './counts.ts';

let isAway: boolean;
class SometimesAway extends MemoryKv {
  override increment(...given: Parameters<MemoryKv['increment']>): Promise<number> {
    return isAway ? Promise.reject(new Error('away')) : super.increment(...given);
  }
  override enter(...given: Parameters<MemoryKv['enter']>): Promise<boolean> {
    return isAway ? Promise.reject(new Error('away')) : super.enter(...given);
  }
  override leave(...given: Parameters<MemoryKv['leave']>): Promise<void> {
    return isAway ? Promise.reject(new Error('away')) : super.leave(...given);
  }
}

const ines = { userId: newId('user'), orgId: newId('organisation') };
const colleague = { userId: newId('user'), orgId: ines.orgId };
const times = (count: number) => Array.from({ length: count });
const refused = expect.objectContaining({ code: 'platform.rate-limited' }) as unknown as Error;
let kv: SometimesAway;
let counts: Counts;
let other: Counts;
beforeEach(() => {
  jest.useFakeTimers();
  isAway = false;
  kv = new SometimesAway();
  [counts, other] = [new Counts(kv), new Counts(kv)];
});
afterEach(() => {
  for (const each of [counts, other]) each.close();
  jest.useRealTimers();
});

const most = { person: 12, organisation: 200 };
const hold = (at: Counts, { userId, orgId }: Holder): Promise<() => void> =>
  at.holdAll([
    { key: userId, most: most.person, refusal: `You have ${most.person}.` },
    { key: `of:${orgId}`, most: most.organisation, refusal: `Your organisation has ${most.organisation}.` },
  ]);

test('counts a window over all replicas, and starts from zero in the next window', async () => {
  expect((await counts.count('x')).count).toBe(1);
  const { count, endsAt } = await other.count('x');
  expect([count, endsAt - Date.now() <= 60_000]).toEqual([2, true]);
  expect((await counts.count('y')).count).toBe(1);
  jest.setSystemTime(endsAt);
  expect((await counts.count('x')).count).toBe(1);
});

test('adds several counts in one call and subtracts them from the same window, even after it has ended', async () => {
  const { count, endsAt, add } = await counts.count('x', 60_000, 20);
  expect([count, await add(-5), (await other.count('x')).count]).toEqual([20, 15, 16]);
  jest.setSystemTime(endsAt);
  await add(-5);
  expect((await counts.count('x')).count).toBe(1);
});

test('an attempt that is taken back counts no more', async () => {
  const attempt = () => counts.attempt('reset', 'ines', { most: 2 });
  await attempt();
  const { takeBack } = await attempt();
  await takeBack();
  await attempt();
  await expect(attempt()).rejects.toThrow(refused);
});

test('counts none of a batch of attempts if the batch exceeds the limit', async () => {
  const send = (count: number) => counts.attempt('person-emails', 'ines', { count });
  await send(150);
  await expect(send(51)).rejects.toMatchObject({
    code: 'org.email-limit-reached',
    extras: { detail: expect.stringContaining('You can send 200 '), retryAfterSeconds: expect.any(Number) },
  });
  const { takeBack } = await send(50);
  await takeBack(20);
  await send(20);
  await expect(send(1)).rejects.toThrow();
});

test('limits what a person has running over all replicas', async () => {
  const releases = await Promise.all(times(most.person).map((_each, at) => hold(at % 2 ? counts : other, ines)));
  await expect(hold(counts, ines)).rejects.toThrow(refused);
  await expect(hold(counts, ines)).rejects.toMatchObject({
    extras: { detail: expect.stringContaining('You have 12.') },
  });
  await hold(counts, colleague);
  await counts.hold('sockets', ines);
  releases[0]!();
  releases[0]!();
  await hold(other, ines);
  await expect(hold(counts, ines)).rejects.toThrow(refused);
});

test('limits an organisation’s requests, and doesn’t count a refused request for the person', async () => {
  const people = times(20).map(() => ({ userId: newId('user'), orgId: ines.orgId }));
  const { person, organisation } = most;
  for (let held = 0; held < organisation; held += 1) await hold(counts, people[held % 20]!);
  await expect(hold(other, ines)).rejects.toMatchObject({
    extras: { detail: expect.stringContaining('Your organisation has 200.'), retryAfterSeconds: 5 },
  });
  const elsewhere = { ...ines, orgId: newId('organisation') };
  await Promise.all(times(person).map(() => hold(other, elsewhere)));
});

test('renews holds, and those of a process that dies expire', async () => {
  await Promise.all(times(most.person).map(() => hold(counts, ines)));
  await jest.advanceTimersByTimeAsync(600_000);
  await expect(hold(other, ines)).rejects.toThrow(refused);
  counts.close();
  await jest.advanceTimersByTimeAsync(120_000);
  await hold(other, ines);
});

test('a hold that begins in one process ends in another, or after its time', async () => {
  const { person } = runningLimits.answers;
  const begin = (member: string) => counts.begin('answers', ines, { member, forMs: 60_000 });
  await Promise.all(times(person).map((_each, at) => begin(`answer ${at}`)));
  await expect(begin('one more')).rejects.toThrow(refused);
  await begin('answer 3');
  await other.end('answers', ines, 'answer 7');
  await begin('one more');
  await expect(begin('another')).rejects.toThrow(refused);
  await jest.advanceTimersByTimeAsync(60_001);
  await begin('another');
});

test('while the shared counts are unavailable each process counts alone, and returns to them later', async () => {
  isAway = true;
  expect((await counts.count('x')).count).toBe(1);
  expect((await counts.count('x')).count).toBe(2);
  expect((await other.count('x')).count).toBe(1);
  const releases = await Promise.all(times(most.person).map(() => hold(counts, ines)));
  await expect(hold(counts, ines)).rejects.toThrow(refused);
  releases[0]!();
  await hold(counts, ines);
  isAway = false;
  await jest.advanceTimersByTimeAsync(2_001);
  expect((await counts.count('shared')).count).toBe(1);
  expect((await other.count('shared')).count).toBe(2);
});
