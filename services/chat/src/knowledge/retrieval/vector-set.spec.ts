import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { bestOf, toBytes, VectorSet } from './vector-set.ts';

const [open, closed] = [newId('connection'), newId('connection')];
const random = (dimensions: number) => Array.from({ length: dimensions }, () => Math.random() - 0.5);
const cosine = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0) / Math.hypot(...one) / Math.hypot(...other);

describe('a set of vectors', () => {
  test('compares each as exactly as a byte a dimension allows, also beyond the room that it began with', async () => {
    const set = new VectorSet(384);
    const vectors = Array.from({ length: 600 }, () => random(384));
    for (const vector of vectors) set.add(newId('chunk'), open, toBytes(vector));
    const question = vectors[577]!.map((value) => value + (Math.random() - 0.5) / 2);
    const similarities = await set.compare(question, new Set([open]));
    expect(similarities).toHaveLength(600);
    for (const [at, vector] of vectors.entries()) expect(similarities[at]).toBeCloseTo(cosine(question, vector), 2);
    expect(bestOf(similarities, { most: 1, least: 0.5, but: new Set() })).toMatchObject([{ at: 577 }]);
  });

  test('compares only what lies within these connections, and none of other dimensions', async () => {
    const set = new VectorSet(2);
    set.add(newId('chunk'), closed, toBytes([1, 0]));
    set.add(newId('chunk'), null, toBytes([0.9, 0.1]));
    set.add(newId('chunk'), open, toBytes([0, 0]));
    set.add(newId('chunk'), open, toBytes([1, 0, 0]));
    expect(set.size).toBe(3);
    const similarities = await set.compare([1, 0], new Set([open, null]));
    expect([...similarities].map((value) => Math.round(value * 100) / 100)).toEqual([-1, 0.99, -1]);
    expect([...(await set.compare([1, 0, 0], new Set([open, null])))]).toEqual([-1, -1, -1]);
  });

  test('lets others do something while it compares many', async () => {
    const set = new VectorSet(1_536);
    const vector = toBytes(random(1_536));
    for (let at = 0; at < 8_000; at += 1) set.add(newId('chunk'), open, vector);
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    await set.compare(random(1_536), new Set([open]));
    clearInterval(counting);
    expect(turns).toBeGreaterThan(1);
  });
});

test('the best come best first, no more than are wanted, none that is less than the least or was looked at', () => {
  const similarities = Float32Array.from([0.2, 0.9, 0.6, -1, 0.7, 0.6]);
  const places = (most: number, ...but: number[]) =>
    bestOf(similarities, { most, least: 0.5, but: new Set(but) }).map(({ at }) => at);
  expect(places(2)).toEqual([1, 4]);
  expect(places(10)).toEqual([1, 4, 2, 5]);
  expect(places(3, 1)).toEqual([4, 2, 5]);
});
