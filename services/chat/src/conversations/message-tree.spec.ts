import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  assertRoom,
  depthOf,
  isOnPath,
  mostForks,
  mostVersions,
  rangesOfPath,
  runOf,
  standingUnder,
  withAllBelow,
  type Standing,
} from './message-tree.ts';

type Planted = Standing & { readonly id: number; readonly parent: Planted | null };

/** Creates a tree; each message follows an earlier message, or nothing. */
const grown = (parents: readonly number[]): Planted[] => {
  const messages: Planted[] = [];
  let run = 0;
  for (const [id, wish] of parents.entries()) {
    const parent = messages[wish % (messages.length + 1)] ?? null;
    const children = messages.filter((message) => message.parent === parent);
    const { lastRun, ...standing } = standingUnder(parent, { children, lastRun: run });
    run = lastRun;
    messages.push({ id, parent, ...standing });
  }
  return messages;
};
const trees = fc.array(fc.nat(), { minLength: 1, maxLength: 60 }).map(grown);
const isIn = (ranges: readonly { readonly $gte: number; readonly $lte: number }[], place: number) =>
  ranges.some(({ $gte, $lte }) => place >= $gte && place <= $lte);
/** Returns the path by parents only, the message itself first. */
const pathTo = (message: Planted): Planted[] => [message, ...(message.parent ? pathTo(message.parent) : [])];

describe('the places of messages', () => {
  test('gives all messages different places, each deeper than its parent', () => {
    fc.assert(
      fc.property(trees, (tree) => {
        expect(new Set(tree.map(({ place }) => place)).size).toBe(tree.length);
        for (const message of tree) expect(depthOf(message.place)).toBe(pathTo(message).length);
      }),
    );
  });

  test('finds exactly the messages of a path by its ranges, also for a part of it', () => {
    fc.assert(
      fc.property(trees, fc.nat(), fc.nat(), fc.nat(), (tree, at, one, other) => {
        const message = tree[at % tree.length]!;
        const path = pathTo(message);
        const found = (...bounds: number[]) =>
          tree.filter(({ place }) => isIn(rangesOfPath(message, ...bounds), place)).map(({ id }) => id);
        expect(found()).toEqual(path.map(({ id }) => id).toReversed());
        const [from, to] = [(one % path.length) + 1, (other % path.length) + 1];
        const part = path.filter(({ place }) => depthOf(place) >= from && depthOf(place) <= to);
        expect(found(from, to)).toEqual(part.map(({ id }) => id).toReversed());
      }),
    );
  });

  test('finds a message and everything below it with one filter, as their paths lead through it', () => {
    fc.assert(
      fc.property(trees, fc.nat(), (tree, at) => {
        const message = tree[at % tree.length]!;
        const below = tree.filter((other) => pathTo(other).includes(message));
        expect(tree.filter((other) => isOnPath(message, other))).toEqual(below);
        const [{ place }, { forks }] = withAllBelow(message);
        const inRun = tree.filter((other) => isIn([place], other.place));
        const inOthers = tree.filter((other) => other.forks.some((fork) => isIn([forks.$elemMatch], fork)));
        expect([...inRun, ...inOthers].toSorted((a, b) => a.id - b.id)).toEqual(below);
      }),
    );
  });

  test('gives messages without branches one run, and each version another', () => {
    const line = grown([0, 0, 1, 2]);
    expect(line.map(({ place }) => [runOf(place), depthOf(place)])).toEqual([
      [1, 1],
      [1, 2],
      [1, 3],
      [1, 4],
    ]);
  });

  test('limits the versions of a message, and the forks on a path', () => {
    const room = (children: number, forks: number) => () =>
      assertRoom(Array.from({ length: children }), { forks: Array.from({ length: forks }, () => 1_000_001) });
    expect(room(mostVersions - 1, mostForks)).not.toThrow();
    for (const full of [room(mostVersions, 0), room(0, mostForks + 1)])
      expect(full).toThrow(expect.objectContaining({ code: 'chat.too-many-versions' }));
  });
});
