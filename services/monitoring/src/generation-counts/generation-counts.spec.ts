import { beforeAll, describe, expect, test } from '@jest/globals';
import type { OrgId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import { testStore } from '@parley/testing';
import { GenerationCountsService } from './generation-counts.service.ts';
import { incrementsOf, toCounts, together, type CountedEvent, type Increments } from './generation-counts.ts';

const { mongo, work, clock, ready } = await testStore();
const counts = new GenerationCountsService(mongo, clock);
const tests = jobScope('tests');
beforeAll(ready);

test('a queued answer counts as queued', () => expect(incrementsOf({} as CountedEvent['data'])).toEqual({ queued: 1 }));
test('an ended attempt counts by its outcome, with its tokens', () => {
  expect(incrementsOf({ outcome: 'failed', inputTokens: 3, outputTokens: 4 } as CountedEvent['data'])).toEqual({
    failed: 1,
    inputTokens: 3,
    outputTokens: 4,
  });
});

test('events that come together add up, each organisation by itself', () => {
  const [mine, other] = [newId('organisation'), newId('organisation')];
  const ended = (orgId: OrgId, outcome: string) => ({ data: { orgId, outcome, inputTokens: 3, outputTokens: 4 } });
  const events = [ended(mine, 'done'), ended(other, 'failed'), ended(mine, 'done'), { data: { orgId: mine } }];
  expect([...together(events as unknown as CountedEvent[])]).toEqual([
    [mine, { done: 2, queued: 1, inputTokens: 6, outputTokens: 8 }],
    [other, { failed: 1, inputTokens: 3, outputTokens: 4 }],
  ]);
});

describe('the counts of an organisation', () => {
  const mine = newId('organisation');
  const read = (orgId: OrgId) => counts.read({ scope: tests.in(orgId) } as never);
  const add = (orgId: OrgId, increments: Increments) =>
    work.run(job('tests'), (tx) => counts.add(new Map([[orgId, increments]]), tx));

  test('begin with its first event, add up, and are its own', async () => {
    const since = clock.now().toISOString();
    await add(mine, { queued: 1 });
    clock.advance(1_000);
    await add(mine, { done: 1, inputTokens: 3, outputTokens: 4 });
    await add(mine, { done: 1, inputTokens: 1, outputTokens: 1 });
    expect(await read(mine)).toEqual({ ...toCounts(null), queued: 1, done: 2, inputTokens: 4, outputTokens: 5, since });
    const now = clock.now().toISOString();
    expect(await read(newId('organisation'))).toEqual({ ...toCounts(null), since: now });
  });

  test('stay what they were when the handling of an event fails', async () => {
    const orgId = newId('organisation');
    const failing = work.run(job('tests'), async (tx) => {
      await counts.add(new Map([[orgId, { queued: 1 }]]), tx);
      throw new Error('undone');
    });
    await expect(failing).rejects.toThrow('undone');
    expect(await read(orgId)).toMatchObject({ queued: 0 });
  });
});
