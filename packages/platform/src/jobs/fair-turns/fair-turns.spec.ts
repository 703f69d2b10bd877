import { expect, test } from '@jest/globals';
import { FairQueue } from './fair-queue.ts';
import { FairTurns, type Waiting } from './fair-turns.ts';
import { WaitingWalk } from './waiting-walk.ts';

/** Counts the slots that the flow gets at once. */
const takes = (turns: FairTurns, flow: string): number => {
  let taken = 0;
  while (taken < 1_000 && turns.begin({ flow, person: 'p' })) taken += 1;
  return taken;
};
type Item = Waiting & { readonly name: string };
let arrivals = 0;
const waits = (name: string, flow: string, person = 'p'): Item => {
  arrivals += 1;
  return { name, flow, person, arrivedAt: new Date(arrivals) };
};
const names = (turns: FairTurns, items: readonly Item[]): string =>
  turns
    .inOrder(items, (item) => item)
    .map(({ name }) => name)
    .join(' ');

test.each([
  [200, 100],
  [5, 2],
  [2, 1],
  [1, 1],
])('of %i slots one flow has at most %i', (all, most) => expect(takes(new FairTurns(all), 'mine')).toBe(most));

test('the other half is there for others, and no more than that', () => {
  const turns = new FairTurns(6);
  expect([takes(turns, 'mine'), turns.free, takes(turns, 'theirs'), takes(turns, 'third')]).toEqual([3, 3, 3, 0]);
});

test('a slot that is given back is taken again, and giving it back twice frees one', () => {
  const turns = new FairTurns(4);
  const end = turns.begin({ flow: 'mine', person: 'p' });
  expect(takes(turns, 'mine')).toBe(1);
  expect([turns.isFullFor('mine'), turns.isFullFor('theirs')]).toEqual([true, false]);
  end?.();
  end?.();
  expect([turns.isFullFor('mine'), turns.free]).toEqual([false, 3]);
});

test('who resumes gets a slot although none is free, up to the given number above all', () => {
  const turns = new FairTurns(2);
  takes(turns, 'mine');
  takes(turns, 'theirs');
  const resume = () => turns.resume({ flow: 'mine', person: 'p' }, 1);
  const end = resume();
  expect([end, resume(), turns.free]).toEqual([expect.any(Function), null, -1]);
  end?.();
  expect(resume()).not.toBeNull();
});

test('a person has as many turns as one person can have, over all flows, and gets another one when one ends', () => {
  const turns = new FairTurns(20, 20, 2);
  const [first] = [turns.begin({ flow: 'a', person: 'p' }), turns.begin({ flow: 'b', person: 'p' })];
  expect([turns.begin({ flow: 'c', person: 'p' }), turns.resume({ flow: 'a', person: 'p' }, 2)]).toEqual([null, null]);
  expect([turns.fullPersons, turns.begin({ flow: 'a', person: 'q' }) === null]).toEqual([['p'], false]);
  first?.();
  expect([turns.fullPersons, turns.begin({ flow: 'c', person: 'p' }) === null]).toEqual([[], false]);
});

test('turns go by flow: a flood that came first leaves the second turn to the next flow', () => {
  const flood = Array.from({ length: 100 }, (_unused, at) => waits(`f${at}`, 'flood'));
  const order = names(new FairTurns(4), [...flood, waits('other', 'other')]);
  expect(order.split(' ').slice(0, 3)).toEqual(['f0', 'other', 'f1']);
});

test('within a flow turns go by person', () => {
  const items = [waits('a1', 's', 'a'), waits('a2', 's', 'a'), waits('a3', 's', 'a'), waits('b1', 's', 'b')];
  expect(names(new FairTurns(4), items)).toBe('a1 b1 a2 a3');
});

test('of one person what arrived first comes first, in whatever order it was found', () => {
  const [first, second, third] = [waits('1', 's'), waits('2', 's'), waits('3', 's')];
  expect(names(new FairTurns(4), [third, first, second])).toBe('1 2 3');
});

test('who had no turn for longest comes first', () => {
  const turns = new FairTurns(4);
  turns.begin({ flow: 'a', person: 'p' })?.();
  turns.begin({ flow: 'b', person: 'p' })?.();
  expect(names(turns, [waits('b', 'b'), waits('a', 'a'), waits('c', 'c')])).toBe('c a b');
  turns.begin({ flow: 'a', person: 'p' })?.();
  expect(names(turns, [waits('a', 'a'), waits('b', 'b')])).toBe('b a');
});

test('a walk over those who wait goes on where it was, and round', async () => {
  const rows = ['a', 'b', 'c', 'd', 'e'].map((_id) => ({ _id }));
  const next = (last: { _id: string } | null) =>
    Promise.resolve(rows.find(({ _id }) => last === null || _id > last._id) ?? null);
  const walk = new WaitingWalk<{ _id: string }>();
  const read = async (most: number) => (await walk.read(most, next)).map(({ _id }) => _id).join('');
  expect([await read(2), await read(2), await read(2)]).toEqual(['ab', 'cd', 'ea']);
  expect(await read(9)).toBe('bcdea');
  rows.length = 0;
  expect(await read(9)).toBe('');
});

test('a queue that is longer than what is read at once has the oldest of each person', async () => {
  type Row = { readonly _id: string; readonly flow: string };
  const waitingOf = ({ _id, flow }: Row) => ({ flow, person: flow, arrivedAt: new Date(Number(_id.slice(1))) });
  const rows = [
    ...Array.from({ length: 5 }, (_unused, at) => ({ _id: `a${at}`, flow: 'a' })),
    { _id: 'b9', flow: 'b' },
  ];
  const next = (last: Row | null) =>
    Promise.resolve(rows.find(({ flow }) => last === null || flow > last.flow) ?? null);
  const queue = new FairQueue<Row>({ turns: new FairTurns(4), waitingOf, next });
  const ids = async (limit: number) => (await queue.inOrder(rows.slice(0, 3), limit)).map(({ _id }) => _id);
  expect(await ids(3)).toEqual(['a0', 'b9', 'a1', 'a2']);
  expect(await ids(4)).toEqual(['a0', 'a1', 'a2']);
});
