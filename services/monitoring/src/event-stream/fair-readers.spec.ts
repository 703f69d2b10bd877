import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mostReaders } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import type { Flows } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import type { Platform } from '@parley/platform/service';
import { NoMetrics } from '@parley/platform/telemetry';
import type { OrgId, UserId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import { EventStream } from './event-stream.ts';
import { Readers, type Reader } from './readers.ts';

const { mongo, clock, ready } = await testStore();
const platform = {
  doorbell: new MemoryDoorbell(),
  metrics: new NoMetrics(),
  revocations: { onRevoked: () => () => undefined },
} as unknown as Platform;
const flowOf = new Map<OrgId, string>();
let readers: Readers;
beforeAll(ready);
beforeEach(() => {
  const flows = { of: (orgId: OrgId) => flowOf.get(orgId) ?? orgId } as unknown as Flows;
  readers = new Readers(new EventStream(mongo, clock), platform, flows, new Counts(new MemoryKv()));
  readers.onModuleInit();
});
afterEach(() => readers.onModuleDestroy());

const join = (orgId: OrgId, userId: UserId = newId('user')): Promise<Reader> =>
  readers.join({ orgId, principal: aPerson({ userId, sessionKey: newId('apiKey') }), head: 0 });
/** As many as come in. */
async function fill(orgId: OrgId, userId?: UserId): Promise<Reader[]> {
  const joined: Reader[] = [];
  try {
    for (;;) joined.push(await join(orgId, userId));
  } catch {
    return joined;
  }
}
const countEnded = (all: readonly Reader[]): number => all.filter(({ hasEnded }) => hasEnded).length;
const refusal = expect.objectContaining({ code: 'platform.rate-limited' }) as unknown as Error;

test('all organisations that one person created have the readers of one', async () => {
  const mine = Array.from({ length: 5 }, () => newId('organisation'));
  for (const orgId of mine) flowOf.set(orgId, 'usr_one');
  const person = newId('user');
  const joined: Reader[] = [];
  for (const orgId of mine) joined.push(...(await fill(orgId, person)));
  expect(joined).toHaveLength(mostReaders.ofOrganisation);
  await expect(join(mine[0]!, person)).rejects.toThrow(refusal);
  expect(countEnded(joined)).toBe(0);
  expect(await fill(newId('organisation'), newId('user'))).toHaveLength(mostReaders.ofOrganisation);
});

test('where all slots are taken, another organisation gets in for a reader of who has most', async () => {
  const floods: Reader[][] = [];
  for (let flood = 0; flood < 4; flood += 1) floods.push(await fill(newId('organisation'), newId('user')));
  expect(floods.flat()).toHaveLength(mostReaders.ofAll);
  const other = newId('organisation');
  const joined: Reader[] = [];
  for (let reader = 0; reader < 10; reader += 1) joined.push(await join(other));
  expect([countEnded(floods.flat()), countEnded(joined)]).toEqual([10, 0]);
  // And who was ended does not come back for them.
  const [first] = floods;
  const [{ key }] = first as [Reader];
  await expect(join(key.flow as OrgId, key.person as UserId)).rejects.toThrow(refusal);
});

test('where an organisation has its bound, a colleague gets in for a reader of who has most', async () => {
  const orgId = newId('organisation');
  const [busy, colleague] = [newId('user'), newId('user')];
  const flood = await fill(orgId, busy);
  const joined = await join(orgId, colleague);
  expect([countEnded(flood), joined.hasEnded]).toEqual([1, false]);
  await expect(join(orgId, busy)).rejects.toThrow(refusal);
});

test('a slot of a reader that leaves is free for the next, once', async () => {
  const orgId = newId('organisation');
  const person = newId('user');
  const [first] = await fill(orgId, person);
  readers.leave(orgId, first!);
  readers.leave(orgId, first!);
  expect(await fill(orgId, person)).toHaveLength(1);
});
