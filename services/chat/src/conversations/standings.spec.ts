import { describe, expect, test } from '@jest/globals';
import type { MessageId } from '@parley/contracts';
import fc from 'fast-check';
import { depthOf, isOnPath, runOf } from './message-tree.ts';
import { isTree, parentsSeen, standingsOf, type Placed } from './standings.ts';

const id = (name: string | number) => `msg_${name}` as MessageId;
/** Messages in order of creation, each with the position of its parent; 0 for none. */
const placed = (...parents: readonly number[]): Placed[] =>
  parents.map((parent, index) => ({ _id: id(index + 1), parentId: parent ? id(parent) : null, position: index + 1 }));
const placesOf = (messages: readonly Placed[], leaf: number) => {
  const { standings, lastRun } = standingsOf(messages, id(leaf));
  return {
    at: messages.map(({ _id }) => standings.get(_id)!).map(({ place }) => [runOf(place), depthOf(place)]),
    lastRun,
  };
};

describe('computing places from parents', () => {
  test('gives the preferred path one run if possible', () => {
    expect(placesOf(placed(0, 1, 1, 3), 4)).toEqual({
      at: [
        [1, 1],
        [2, 2],
        [1, 2],
        [1, 3],
      ],
      lastRun: 2,
    });
    expect(placesOf(placed(0, 1, 1, 3), 2)).toEqual({
      at: [
        [1, 1],
        [1, 2],
        [2, 2],
        [2, 3],
      ],
      lastRun: 2,
    });
    expect(placesOf(placed(0, 1, 0, 3), 4)).toEqual({
      at: [
        [2, 1],
        [2, 2],
        [1, 1],
        [1, 2],
      ],
      lastRun: 2,
    });
  });

  test('accepts a parent that is newer than the messages below it', () => {
    expect(placesOf(placed(0, 1, 4, 1), 3).at).toEqual([
      [1, 1],
      [2, 2],
      [1, 3],
      [1, 2],
    ]);
  });

  test('loses no message to a missing parent or a circle', () => {
    expect(placesOf(placed(0, 9, 2), 3).at).toEqual([
      [2, 1],
      [1, 1],
      [1, 2],
    ]);
    expect(placesOf(placed(2, 1, 2), 3).at).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
    ]);
    const any = fc.array(fc.nat(20), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(any, fc.nat(20), (parents, leaf) => {
        const messages = placed(...parents);
        const { standings, lastRun } = standingsOf(messages, id(leaf));
        expect(standings.size).toBe(messages.length);
        expect(new Set([...standings.values()].map(({ place }) => place)).size).toBe(messages.length);
        expect(Math.max(...[...standings.values()].map(({ place }) => runOf(place)))).toBe(lastRun);
        for (const { _id, parentId } of messages) {
          const [own, above] = [standings.get(_id)!, parentId && standings.get(parentId)];
          if (above && depthOf(own.place) > 1) expect(isOnPath(above, own)).toBe(true);
        }
      }),
    );
  });
});

describe('checking that messages form a tree', () => {
  const inTree = (...parents: readonly number[]) => {
    const messages = placed(...parents);
    const { standings, lastRun } = standingsOf(messages, null);
    return { lastRun, messages: messages.map((message) => ({ ...message, ...standings.get(message._id)! })) };
  };

  test('accepts messages as they were placed, whatever the numbers of their runs', () => {
    const { messages, lastRun } = inTree(0, 1, 1, 3, 0);
    expect(isTree(messages, lastRun)).toBe(true);
    const renumbered = messages.map((message) => ({
      ...message,
      place: message.place + 7_000_000,
      forks: message.forks.map((fork) => fork + 7_000_000),
    }));
    expect(isTree(renumbered, lastRun + 7)).toBe(true);
  });

  test.each([
    ['a message without a place', { place: undefined }],
    ['a place that another one has', { place: 1_000_001 }],
    ['one that is too deep', { place: 1_000_009 }],
    ['a run that is newer than the newest', { place: 9_000_003, forks: [1_000_002] }],
    ['a fork that is not its parent', { forks: [1_000_001] }],
    ['another parent', { parentId: null }],
  ])('rejects messages with %s', (_name, change) => {
    const { messages, lastRun } = inTree(0, 1, 2);
    expect(isTree([...messages.slice(0, 2), { ...messages[2]!, ...change }], lastRun)).toBe(false);
  });
});

/** Questions and answers as letters: `Q`, `A` with text, `a` without, `D` discarded; the number is the question's. */
const seen = (...names: readonly string[]) =>
  names.map((name) => ({
    _id: id(name),
    role: /^[QD]/.test(name) ? ('person' as const) : ('assistant' as const),
    parentId: /^[QD]/.test(name) ? null : id(names.find((one) => /^[QD]/.test(one) && one[1] === name[1])!),
    text: name.startsWith('a') ? '' : name,
    isDiscarded: name.startsWith('D'),
  }));
const parentsOf = (names: readonly string[], running?: string) => {
  const { parents, leafId } = parentsSeen(seen(...names), running ? id(running) : null);
  const short = (value: MessageId | null) => value?.slice('msg_'.length) ?? null;
  return [Object.fromEntries([...parents].map(([key, value]) => [short(key), short(value)])), short(leafId)];
};

describe('the parents that people saw before there were branches', () => {
  test.each([
    ['a line', ['Q1', 'A1', 'Q2', 'A2'], [{ Q1: null, Q2: 'A1' }, 'A2']],
    ['a later version of the answer before', ['Q1', 'A1', 'A1b', 'Q2', 'A2'], [{ Q1: null, Q2: 'A1b' }, 'A2']],
    [
      'a new version of an early answer',
      ['Q1', 'A1', 'Q2', 'A2', 'A1b', 'Q3'],
      [{ Q1: null, Q2: 'A1b', Q3: 'A2' }, 'Q3'],
    ],
    ['a newest answer without text', ['Q1', 'A1', 'a1b', 'Q2', 'A2'], [{ Q1: null, Q2: 'A1' }, 'A2']],
    ['no answer with text', ['Q1', 'a1', 'a1b', 'Q2', 'A2'], [{ Q1: null, Q2: 'a1b' }, 'A2']],
    ['a question thrown away', ['Q1', 'A1', 'D2', 'a2', 'Q3', 'A3'], [{ Q1: null, D2: 'A1', Q3: 'A1' }, 'A3']],
    ['the first one thrown away', ['D1', 'a1', 'Q2', 'A2'], [{ D1: null, Q2: null }, 'A2']],
    ['the last one thrown away', ['Q1', 'A1', 'D2', 'a2'], [{ Q1: null, D2: 'A1' }, 'A1']],
    ['a failed newest version at the end', ['Q1', 'A1', 'a1b'], [{ Q1: null }, 'a1b']],
    ['nothing', [], [{}, null]],
  ] as const)('finds the parents that people saw for %s', (_name, names, expected) => {
    expect(parentsOf(names)).toEqual(expected);
  });

  test('treats a running answer as one with text', () => {
    expect(parentsOf(['Q1', 'A1', 'Q2', 'A2', 'a1b'], 'a1b')).toEqual([{ Q1: null, Q2: 'a1b' }, 'A2']);
  });
});
