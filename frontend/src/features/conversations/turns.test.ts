import { describe, expect, it } from '@jest/globals';
import type { Message, MessageId } from '@parley/contracts';
import { sampleAnswer, sampleConversation, sampleQuestion } from '../../testing/samples.ts';
import { groupByDay } from './day-groups.ts';
import { chunksOf, shownAnswer, turnsOf } from './turns.ts';

const answer = (n: number, status: NonNullable<Message['generation']>['status'] = 'done') =>
  sampleAnswer({ status }, { id: `msg_${String(n).padStart(26, '0')}` as MessageId, position: n, sequence: n });

describe('turns', () => {
  it('put all answers of a question under it, wherever they come', () => {
    const later = { ...sampleQuestion, id: `msg_${'9'.repeat(26)}` as MessageId, position: 3 };
    const turns = turnsOf([sampleQuestion, answer(2), later, answer(4)]);
    expect(turns.map((turn) => turn.answers.length)).toEqual([2, 0]);
  });

  it('keep an answer whose question is not loaded', () => {
    expect(turnsOf([answer(2), answer(4)])).toMatchObject([
      { question: null, answers: [{ position: 2 }, { position: 4 }] },
    ]);
  });

  it('stay in their chunk when older ones come', () => {
    const question = (n: number) => ({
      ...sampleQuestion,
      id: `msg_${String(n).padStart(26, '0')}` as MessageId,
      position: n,
      sequence: n,
    });
    const newest = chunksOf(turnsOf([question(19), question(21), question(39), question(41)]));
    expect(newest.map(({ key, turns }) => [key, turns.length])).toEqual([
      [0, 1],
      [1, 2],
      [2, 1],
    ]);
    expect(
      chunksOf(turnsOf([question(1), question(17), question(19), question(21), question(39), question(41)])).slice(1),
    ).toEqual(newest.slice(1));
  });

  it('show the last answer, the chosen one, or the one that is written', () => {
    const [first, second, running] = [answer(2), answer(4), answer(6, 'running')];
    expect(shownAnswer([first, second], undefined)).toBe(1);
    expect(shownAnswer([first, second], first.id)).toBe(0);
    expect(shownAnswer([first, second, running], first.id)).toBe(2);
  });
});

it('groups chats by local days', () => {
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
