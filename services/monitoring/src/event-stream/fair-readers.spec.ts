import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mostReaders } from '@parley/contracts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import type { Flows } from '@parley/platform/fair-turns';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { NoMetrics } from '@parley/platform/telemetry';
import type { OrgId, UserId } from '@parley/protocol';
import { aPerson, testStore, silentLogger } from '@parley/testing';
import { EventStream } from './event-stream.ts';
import { Readers, type Reader } from './readers.ts';

const { mongo, clock, ready } = await testStore();
const platform = {
  doorbell: new MemoryDoorbell(),
  logger: silentLogger(),
  metrics: new NoMetrics(),
  revocations: { onRevoked: () => () => undefined },
} as unknown as Platform;
const flowOf = new Map<OrgId, string>();
let readers: Readers;
beforeAll(ready);
beforeEach(() => {
  const flows = {
    keyOf: (orgId: OrgId, person: string) => ({ flow: flowOf.get(orgId) ?? orgId, organisation: orgId, person }),
  } as unknown as Flows;
  readers = new Readers(new EventStream(mongo, clock), platform, flows);
  readers.onModuleInit();
});
afterEach(() => readers.onModuleDestroy());

const join = (orgId: OrgId, userId: UserId = newId('user')): Reader =>
  readers.join({ orgId, principal: aPerson({ userId, sessionKey: newId('apiKey') }), head: 0 });
/** As many as come in. */
function fill(orgId: OrgId, userId?: UserId): Reader[] {
  const joined: Reader[] = [];
  try {
    for (;;) joined.push(join(orgId, userId));
  } catch {
    return joined;
  }
}
const refusal = expect.objectContaining({ code: 'platform.rate-limited' }) as unknown as Error;

test('organisations of one flow have as many readers together as one can have, and another flow has its own', () => {
  const [mine, other] = [Array.from({ length: 5 }, () => newId('organisation')), newId('organisation')];
  for (const orgId of mine) flowOf.set(orgId, 'common');
  const joined = mine.flatMap((orgId) => fill(orgId));
  expect(joined).toHaveLength(mostReaders.ofFlow);
  expect(() => join(mine[0]!)).toThrow(refusal);
  expect([joined.some(({ hasEnded }) => hasEnded), fill(other).length]).toEqual([false, mostReaders.ofFlow]);
});

test('a slot of a reader that leaves is free for the next, once', () => {
  const orgId = newId('organisation');
  const person = newId('user');
  const [first] = fill(orgId, person);
  readers.leave(orgId, first!);
  readers.leave(orgId, first!);
  expect(fill(orgId, person)).toHaveLength(1);
});
