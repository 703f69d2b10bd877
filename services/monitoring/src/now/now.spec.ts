import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findMembers, getProgress, getSpendToday, type Permission } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { OrgId, ResponseOf, UserId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import { MetricsRepository } from '../metrics/index.ts';
import { PresenceService } from '../presence/index.ts';
import { RunningAnswers } from '../running-answers/index.ts';
import { NowService } from './now.service.ts';
import { errorsPerMinute } from './progress.ts';
import { RunningListService } from './running-list.service.ts';

const { mongo, work, clock, ready } = await testStore();
const tests = jobScope('tests');
type Told = ResponseOf<typeof getProgress>['items'];
let progress: Told;
let isAway: boolean;
let spends: number;
const asker = newId('user');
const peers = {
  call: async (route: unknown) => {
    if (isAway) throw new Error('away');
    if (route === getProgress) return { items: progress };
    if (route === findMembers) return { items: [{ userId: asker, name: 'Noor', picture: null }], nextCursor: null };
    expect(route).toBe(getSpendToday);
    spends += 1;
    return { costMicros: 1_500_000, unpricedAttempts: 2, currency: 'EUR' };
  },
};
const platform = { peers } as unknown as Platform;
const presence = new PresenceService(mongo, clock, platform);
const running = new RunningAnswers(mongo);
const metrics = new MetricsRepository(mongo);
const now = new NowService(presence, running, metrics, platform, clock);
const list = new RunningListService(running, now, platform, clock);
beforeAll(ready);

let orgId: OrgId;
beforeEach(() => {
  orgId = newId('organisation');
  [progress, isAway, spends] = [[], false, 0];
});
const read = () => now.read({ scope: tests, params: { orgId } } as never);
const begin = async (userId: UserId = asker) => {
  const answer = { _id: newId('generation'), userId, model: 'builtin', queuedAt: clock.now() };
  await work.run(job('tests'), (tx) => running.begin(tx, [{ ...answer, orgId }]));
  return answer._id;
};
const listFor = (...permissions: Permission[]) =>
  list.list({
    scope: tests.in(orgId),
    principal: aPerson({ organisation: { orgId, permissions, rightsVersion: 1 } }),
  } as never);
const iso = () => clock.now().toISOString();

describe('this second', () => {
  test('is who is here, what runs and waits, how fast it is written, and what it costs', async () => {
    const [writing, thinking, queued] = [await begin(), await begin(), await begin()];
    const startedAt = iso();
    progress = [
      { generationId: writing, status: 'running', firstTokenAt: iso(), startedAt, outputTokens: 200 },
      { generationId: thinking, status: 'running', firstTokenAt: null, startedAt, outputTokens: 0 },
      { generationId: queued, status: 'queued', firstTokenAt: null, startedAt: null, outputTokens: 0 },
    ];
    clock.advance(4_000);
    expect(await read()).toEqual({
      at: iso(),
      online: 0,
      running: 2,
      queued: 1,
      tokensPerSecond: 50,
      firstTokenP50Ms: null,
      firstTokenP95Ms: null,
      errorsPerMinute: 0,
      spendToday: { costMicros: 1_500_000, unpricedAttempts: 2, currency: 'EUR' },
    });
  });

  test('says what it knows while chat and billing do not answer', async () => {
    await begin();
    isAway = true;
    expect(await read()).toMatchObject({ running: 1, queued: 0, tokensPerSecond: null, spendToday: null });
  });

  test('asks billing every five seconds only', async () => {
    await read();
    await read();
    expect(spends).toBe(1);
    clock.advance(5_001);
    await read();
    expect(spends).toBe(2);
  });
});

test('errors are those of the last 60 seconds, though minutes are counted', () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 5, second));
  expect(errorsPerMinute({ last: 6, current: 1, now: at(0) })).toBe(7);
  expect(errorsPerMinute({ last: 6, current: 1, now: at(30) })).toBe(4);
  expect(errorsPerMinute({ last: 6, current: 1, now: at(59) })).toBe(1.1);
});

describe('the running answers', () => {
  test('say who asked only to those who may see who is active', async () => {
    await begin();
    expect((await listFor('monitoring:read_org')).items).toMatchObject([{ person: null, model: 'builtin' }]);
    const { items, count } = await listFor('monitoring:read_org', 'member:read_pii');
    expect(items[0]?.person).toEqual({ userId: asker, name: 'Noor', picture: null });
    expect(count).toBe(1);
  });

  test('say how far each is, and nothing of it while chat does not tell', async () => {
    const generationId = await begin();
    clock.advance(1_500);
    progress = [{ generationId, status: 'running', firstTokenAt: iso(), startedAt: iso(), outputTokens: 30 }];
    clock.advance(3_000);
    expect((await listFor()).items[0]).toMatchObject({ state: 'writing', firstTokenMs: 1_500, tokensPerSecond: 10 });
    isAway = true;
    expect((await listFor()).items[0]).toMatchObject({ state: null, firstTokenMs: null, tokensPerSecond: null });
  });
});
