import { describe, expect, test } from '@jest/globals';
import type { ReadMessage } from '@parley/chat-exports';
import { newId } from '@parley/platform/ids';
import { mostForks } from '../../conversations/index.ts';
import { branchesIn, planChat, withinBounds } from './chat-plan.ts';
import { aChat, aLine, began } from './chats.spec-setup.ts';
import { turnsIn } from './grown-chats.ts';

const conversation = newId('conversation');
const now = new Date(began + 86_400_000);
const minute = 60_000;
const at = (ms: number | null) => (ms === null ? null : new Date(ms));
const timed = (times: readonly (number | null)[]): ReadMessage[] =>
  aLine('m', times.map(String)).map((message, index) => ({ ...message, createdAt: at(times[index]!) }));
const timesOf = (times: readonly (number | null)[], more: object = {}) =>
  planChat(aChat('chat', timed(times), more), { ids: { conversation, former: new Set() }, now }).messages.map(
    ({ createdAt }) => createdAt.getTime(),
  );

describe('times of imported messages', () => {
  test('are those of the source, never before their parent nor in the future', () => {
    expect(timesOf([began, began + minute, began, began + 2 * minute])).toEqual([
      began,
      began + minute,
      began + minute,
      began + 2 * minute,
    ]);
    expect(timesOf([now.getTime() + minute, null])).toEqual([now.getTime(), now.getTime()]);
  });

  test('come from the message before, else from the chat, else from another message, else are now', () => {
    expect(timesOf([null, began + minute, null, null])).toEqual([
      began,
      began + minute,
      began + minute,
      began + minute,
    ]);
    const without = { createdAt: null, updatedAt: null };
    expect(timesOf([null, began + minute], without)).toEqual([began + minute, began + minute]);
    expect(timesOf([null, null], without)).toEqual([now.getTime(), now.getTime()]);
  });
});

describe('a plan', () => {
  test('is the same each time, and its places follow from the parents', () => {
    const chat = aChat('chat', [...aLine('a', ['q', 'a', 'q', 'a']), ...aLine('b', ['q', 'a'])], { openId: 'a-4' });
    const plan = planChat(chat, { ids: { conversation, former: new Set() }, now });
    expect(planChat(chat, { ids: { conversation, former: new Set() }, now })).toEqual(plan);
    expect(plan.messages.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(plan.messages.map(({ place }) => place)).size).toBe(6);
    expect([plan.lastRun, branchesIn(chat.messages)]).toEqual([2, 1]);
  });

  test('opens at the answer below an open question, and at the newest answer where nothing is open', () => {
    const chat = aChat('chat', aLine('a', ['q', 'a', 'q']), { openId: 'a-3' });
    const plan = planChat(chat, { ids: { conversation, former: new Set() }, now });
    expect(plan.messages.at(-1)).toMatchObject({ id: plan.leafId, text: '', answer: { isMissing: true } });
    const other = planChat({ ...chat, openId: 'nowhere' }, { ids: { conversation, former: new Set() }, now });
    expect(other.leafId).toBe(plan.leafId);
  });
});

describe('what a chat can have', () => {
  test('is a hundred versions of a message: the open one is among them, and what is left out is listed', () => {
    const versions = Array.from({ length: 150 }, (_unused, index) => aLine(`v${index}`, ['q', 'a'])).flat();
    const { kept, losses } = withinBounds({ messages: versions, openId: 'v140-2' });
    expect(kept).toHaveLength(200);
    expect(kept.map(({ sourceId }) => sourceId)).toContain('v140-2');
    expect(losses).toHaveLength(100);
    expect(losses[0]).toEqual({ reason: 'too-many-versions', message: 'v99-1', name: null });
  });

  test('is five hundred edits on a path: of a comb of five thousand levels all of those are kept', () => {
    // Each answer has a second question, under which it goes on.
    const comb = Array.from({ length: 5_000 }, (_unused, level) => {
      const above = level === 0 ? null : `c${level - 1}-2`;
      return [...aLine(`s${level}`, ['q', 'a'], above), ...aLine(`c${level}`, ['q', 'a'], above)];
    }).flat();
    const { kept, losses } = withinBounds({ messages: comb, openId: null });
    // Each path has its last fork on the same level, behind which it goes on by its first version.
    expect(kept).toHaveLength(2 * (mostForks + 1) + 2 * (mostForks + 2));
    expect(kept.length + losses.length).toBe(comb.length);
    const plan = planChat(aChat('comb', comb, { openId: null }), { ids: { conversation, former: new Set() }, now });
    expect(plan.messages).toHaveLength(kept.length);
    expect(Math.max(...plan.messages.map(({ forks }) => forks.length))).toBeLessThanOrEqual(mostForks);
  });
});

test('turns that are added are never parted, and follow what is there', () => {
  const line = aLine(
    't',
    Array.from({ length: 50 }, (_unused, index) => `text ${index}`),
  );
  const { messages } = planChat(aChat('chat', line), { ids: { conversation, former: new Set() }, now });
  const batches = turnsIn(messages, new Set([null]));
  expect(batches.flat().map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(20);
    expect(batch[0]!.role).toBe('person');
    expect(batch.at(-1)!.role).toBe('assistant');
  }
  expect(turnsIn(messages, new Set())).toEqual([]);
});
