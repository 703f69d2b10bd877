import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';

const messages = 12;
/** More than a person has slots, and few enough that reading them doesn't keep the process busy for seconds. */
const readsAtOnce = 40;
/** Those that need not wait; how many of the others get a slot in time is a matter of the machine. */
const surely = 24;

let parley: TestParley;
let reader: ParleyClient;
let other: ParleyClient;
const conversationId = newId('conversation');
beforeAll(async () => {
  parley = await startTestParley();
  [reader, other] = [
    await newPerson(parley.url, { organisation: 'Reading' }),
    await newPerson(parley.url, { organisation: 'Other' }),
  ];
  for (let at = 0; at < messages; at += 1) {
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    await reader.send(conversationId, '東'.repeat(32_000), ids);
    await eventually(async () => {
      const [newest] = (await reader.messages(conversationId, { limit: 1 })).items;
      expect(newest?.generation?.status).toBe('done');
    }, 'the answer should be there');
  }
}, 120_000);
afterAll(() => parley.close());

test('many reads of a large chat at once hit at most the rate limit, and nobody else is refused', async () => {
  let isOver = false;
  const lists = (async () => {
    let asked = 0;
    for (; !isOver; asked += 1) await other.call('GET /api/chat/conversations');
    return asked;
  })();
  const read = () => reader.messages(conversationId, { limit: 100 });
  const outcomes = await Promise.allSettled(Array.from({ length: readsAtOnce }, read));
  isOver = true;
  expect(await lists).toBeGreaterThan(0);
  const pages = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  for (const { items, hasOlder } of pages) expect([items.length > 5, hasOlder]).toEqual([true, true]);
  expect(pages.length).toBeGreaterThanOrEqual(surely);
  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
  expect(refusals.filter((refusal) => !refusal.includes('platform.rate-limited'))).toEqual([]);
}, 60_000);
