import { describe, expect, it } from '@jest/globals';
import type { Message, MessageId } from '@parley/contracts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../../testing/samples.ts';
import { groupByDay } from '../list/day-groups.ts';
import { chunksOf, exchangesOf } from '../state/exchanges.ts';

const answer = (n: number, status: NonNullable<Message['generation']>['status'] = 'done') =>
  sampleAnswer({ status }, { id: `msg_${String(n).padStart(26, '0')}` as MessageId, position: n, sequence: n });

describe('exchanges of a conversation', () => {
  it('pairs a question with its answer', () => {
    const later = { ...sampleQuestion, id: `msg_${'9'.repeat(26)}` as MessageId, position: 3 };
    const exchanges = exchangesOf([sampleQuestion, answer(2), later]);
    expect(exchanges.map(({ answer: given }) => given?.position ?? null)).toEqual([2, null]);
  });

  it('keeps an answer whose question isn’t loaded', () => {
    expect(exchangesOf([answer(2)])).toMatchObject([{ question: null, answer: { position: 2 } }]);
  });

  it('keeps exchanges in their chunk when older ones are loaded', () => {
    const question = (n: number) => ({
      ...sampleQuestion,
      id: `msg_${String(n).padStart(26, '0')}` as MessageId,
      depth: n,
    });
    const newest = [5, 6, 7, 11].map(question);
    const chunks = chunksOf(exchangesOf(newest));
    expect(chunks.map(({ key, exchanges }) => [key, exchanges.length])).toEqual([
      [2, 1],
      [3, 2],
      [5, 1],
    ]);
    const withOlder = chunksOf(exchangesOf([...[1, 3, 4].map(question), ...newest]));
    expect(withOlder.map(({ key }) => key)).toEqual([0, 1, 2, 3, 5]);
    expect(withOlder.slice(-2)).toEqual(chunks.slice(1));
  });
});

it('groups chats by days in local time', () => {
  const now = new Date(2026, 10, 21, 12).getTime();
  const at = (date: Date) => ({ ...sampleConversation, lastActivityAt: date.toISOString() });
  const groups = groupByDay(
    [
      at(new Date(2026, 10, 21, 0, 1)),
      at(new Date(2026, 10, 20, 23, 59)),
      at(new Date(2026, 10, 15)),
      at(new Date(2026, 10, 14, 23)),
    ],
    now,
  );
  expect(groups.map(({ group, items }) => [group, items.length])).toEqual([
    ['today', 1],
    ['week', 2],
    ['older', 1],
  ]);
});
