import { beforeAll, expect, test } from '@jest/globals';
import type { DataOf, EventEnvelope, generationAttemptEnded, OrgId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import { testStore } from '@parley/testing';
import { LedgerService } from './ledger.service.ts';

const { mongo, work, clock, ready } = await testStore();
const ledger = new LedgerService(mongo);
const tests = jobScope('tests');
beforeAll(ready);

type Ended = DataOf<typeof generationAttemptEnded>;
const attempt = (data: Partial<Ended> = {}) => ({
  conversationId: newId('conversation'),
  generationId: newId('generation'),
  attempt: 1,
  userId: newId('user'),
  model: 'builtin',
  inputTokens: 3,
  outputTokens: 4,
  estimated: true,
  outcome: 'done' as const,
  ...data,
});

const append = (orgId: OrgId, data: object): Promise<void> => {
  const event = { data: { orgId, ...data }, time: clock.now().toISOString() } as EventEnvelope<Ended>;
  return work.run(job('tests'), (tx) => ledger.append(tests.in(orgId), event, tx));
};
const list = (orgId: OrgId, query: object) =>
  ledger.list({ scope: tests.in(orgId), query: { limit: 50, ...query } } as never);

test('an attempt has one entry, however often its event comes', async () => {
  const orgId = newId('organisation');
  const ended = attempt();
  for (const _ of [1, 2]) await append(orgId, ended);
  await append(orgId, { ...ended, attempt: 2 });
  const { items } = await list(orgId, {});
  expect(items.map((entry) => entry.attempt)).toEqual([2, 1]);
  expect(items[1]).toEqual({ id: items[1]!.id, ...ended, costMicros: 0, at: clock.now().toISOString() });
});

test("a list shows the organisation's own entries only, newest first, also of one generation", async () => {
  const [mine, theirs] = [newId('organisation'), newId('organisation')];
  const [one, other] = [attempt(), attempt()];
  await append(mine, one);
  await append(theirs, other);
  await append(mine, { ...one, attempt: 2 });
  const first = await list(mine, { limit: 1 });
  const second = await list(mine, { limit: 1, cursor: first.nextCursor });
  expect([...first.items, ...second.items].map((entry) => entry.attempt)).toEqual([2, 1]);
  expect(second.nextCursor).toBeNull();
  expect((await list(mine, { generationId: other.generationId })).items).toEqual([]);
  expect((await list(theirs, { generationId: other.generationId })).items).toHaveLength(1);
});
