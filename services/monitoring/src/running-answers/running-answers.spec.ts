import { beforeAll, expect, test } from '@jest/globals';
import { presenceBell } from '@parley/contracts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { testStore } from '@parley/testing';
import { RunningAnswersConsumer } from './running-answers.consumer.ts';
import { RunningAnswers } from './running-answers.ts';

const { mongo, work, clock, ready } = await testStore();
const tests = jobScope('tests');
const doorbell = new MemoryDoorbell();
const answers = new RunningAnswers(mongo);
const consumer = new RunningAnswersConsumer(answers, { doorbell } as unknown as Platform);
beforeAll(ready);

const [orgId, userId] = [newId('organisation'), newId('user')];
const queued = (generationId: string) => ({
  time: clock.now().toISOString(),
  data: { generationId, orgId, userId, model: 'builtin' },
});
const ended = (generationId: string, final = true) => ({
  time: clock.now().toISOString(),
  data: { generationId, orgId, outcome: 'done', final },
});
const follow = (...events: object[]) =>
  work.run(job('tests'), (tx) => consumer.follow(events as never, { tx } as never));
const running = async () => (await answers.list(tests.in(orgId), 10)).map(({ _id }) => _id);

test('answers run from their question to their end, in one batch or over several, and who watches is rung', async () => {
  const [short, long, again] = [newId('generation'), newId('generation'), newId('generation')];
  let rings = 0;
  doorbell.on(presenceBell(orgId), () => (rings += 1));
  await follow(queued(short), queued(long), ended(short), queued(again), ended(again, false));
  expect(await running()).toEqual([long, again]);
  expect(rings).toBe(1);
  await follow(queued(long), ended(again));
  expect(await running()).toEqual([long]);
  await follow(ended(long), ended(newId('generation')));
  expect(await running()).toEqual([]);
});
