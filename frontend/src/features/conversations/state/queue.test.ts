import { describe, expect, it } from '@jest/globals';
import { mostQueued as mostOfContract, type MessageId } from '@parley/contracts';
import { mostQueued } from './question-limits.ts';
import { endOf } from './queue.ts';

const id = (name: string) => `msg_${name}` as MessageId;
const path = ['q1', 'a1', 'q2', 'a2'].map((name) => ({ id: id(name) }));
const waiting = (parent: string | null, answer: string) => ({
  parentId: parent === null ? null : id(parent),
  answerId: id(answer),
});

describe('the parent of the next question', () => {
  it.each([
    ['the end of the path where nothing waits', [], 'a2'],
    ['what waits behind the end of the path', [waiting('a2', 'a3'), waiting('a3', 'a4')], 'a4'],
    ['another version of a question, and what waits behind it', [waiting('a1', 'b2'), waiting('b2', 'b3')], 'b3'],
    ['an answer that is wanted once more', [waiting('a2', 'a3'), waiting('q1', 'b1')], 'b1'],
    ['another first question', [waiting(null, 'c1')], 'c1'],
    ['nothing that waits on another branch', [waiting('x1', 'x2'), waiting('x2', 'x3')], 'a2'],
  ])('makes the next question follow %s', (_what, items, end) => expect(endOf(path, items)).toBe(id(end)));

  it('gives the first question of an empty chat no parent, and the next one that first question', () => {
    expect(endOf([], [])).toBeNull();
    expect(endOf([], [{ answerId: id('a1') }])).toBe(id('a1'));
  });
});

it('allows as many queued questions as the contract', () => expect(mostQueued).toBe(mostOfContract));
