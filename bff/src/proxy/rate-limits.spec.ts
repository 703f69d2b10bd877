import { beforeEach, expect, jest, test } from '@jest/globals';
import type { CostClass } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import type { OrgId, UserId } from '@parley/protocol';
import { RateLimits, rateTable } from './rate-limits.ts';

const table = rateTable([
  { cost: 'search', owner: 'person', most: 3 },
  { cost: 'search', owner: 'organisation', most: 5 },
  { cost: 'secret', owner: 'address', most: 2 },
]);
const orgId = newId('organisation');
const aCaller = (userId: UserId = newId('user')) => ({ userId, orgId });
const outcome = (asked: Promise<unknown>) =>
  asked.then(
    () => 'let in',
    ({ code }: { code: string }) => code,
  );
let kv: MemoryKv;
let rates: RateLimits;
async function counted(cost: CostClass, { userId, orgId: of }: { userId: UserId; orgId: OrgId | null }, by = rates) {
  const allowance = await by.person(cost, userId);
  await by.organisation(cost, of);
  return allowance;
}
beforeEach(() => {
  kv = new MemoryKv();
  rates = new RateLimits(new Counts(kv), table);
});

test('just below its rate a person is let in, one too many is told until when', async () => {
  const ines = aCaller();
  const left = [];
  for (let asked = 0; asked < 3; asked += 1) left.push((await counted('search', ines))?.left);
  expect(left).toEqual([2, 1, 0]);
  await expect(counted('search', ines)).rejects.toMatchObject({
    code: 'platform.rate-limited',
    extras: {
      detail: expect.stringMatching(/^You have asked 3 times .* \(searching in texts\)\. Try again in \d+ s\.$/),
      retryAfterSeconds: expect.any(Number),
    },
  });
  expect(await outcome(counted('read', ines))).toBe('let in');
});

test('who is refused uses nothing of the rate of their organisation', async () => {
  const [flood, colleague] = [aCaller(), aCaller()];
  for (let asked = 0; asked < 20; asked += 1) await outcome(counted('search', flood));
  // Three that were let in.
  for (let asked = 0; asked < 2; asked += 1) expect(await outcome(counted('search', colleague))).toBe('let in');
  expect(await outcome(counted('search', colleague))).toBe('platform.rate-limited');
});

test('several people of an organisation share its rate, and those of another have theirs', async () => {
  for (let asked = 0; asked < 5; asked += 1) expect(await outcome(counted('search', aCaller()))).toBe('let in');
  await expect(counted('search', aCaller())).rejects.toMatchObject({
    extras: { detail: expect.stringMatching(/^Your organisation has asked 5 times/) },
  });
  const elsewhere = { userId: newId('user'), orgId: newId('organisation') };
  expect(await outcome(counted('search', elsewhere))).toBe('let in');
  expect(await outcome(counted('search', { ...elsewhere, orgId: null }))).toBe('let in');
});

test('two replicas count together', async () => {
  const other = new RateLimits(new Counts(kv), table);
  const ines = aCaller();
  await counted('search', ines);
  await counted('search', ines, other);
  await counted('search', ines);
  expect(await outcome(counted('search', ines, other))).toBe('platform.rate-limited');
});

test('visitors are counted by their address', async () => {
  for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) await rates.visitor('secret', address);
  expect(await outcome(rates.visitor('secret', '192.0.2.1'))).toBe('platform.rate-limited');
});

test('counts start again each minute', async () => {
  jest.useFakeTimers();
  const ines = aCaller();
  for (let asked = 0; asked < 4; asked += 1) await outcome(counted('search', ines));
  expect(await outcome(counted('search', ines))).toBe('platform.rate-limited');
  jest.setSystemTime(Date.now() + 60_000);
  expect(await outcome(counted('search', ines))).toBe('let in');
  jest.useRealTimers();
});

test('an address that had its rate is refused before a session is looked up, in any replica, and counts nothing', async () => {
  const at = Date.now();
  const aReplica = () => new RateLimits(new Counts(kv, () => at), table);
  const [one, other] = [aReplica(), aReplica()];
  const check = () => outcome(other.checkVisitor('secret', '192.0.2.1'));
  for (let asked = 0; asked < 2; asked += 1) await one.visitor('secret', '192.0.2.1');
  expect([await check(), await check()]).toEqual(['let in', 'let in']);
  await outcome(one.visitor('secret', '192.0.2.1'));
  expect([await check(), await outcome(other.checkVisitor('secret', '192.0.2.2'))]).toEqual([
    'platform.rate-limited',
    'let in',
  ]);
});
