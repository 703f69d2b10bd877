import { expect, test } from '@jest/globals';
import { FairTurns, type Waiting } from './fair-turns.ts';
import { Rotation } from './rotation.ts';
import { WaitingWalk } from './waiting-walk.ts';

const keyOf = (flow: string, person = 'p', organisation = flow) => ({ flow, organisation, person });
/** Takes slots for the flow until none is free for it, and returns how many it got. */
const takes = (turns: FairTurns, flow: string): number => {
  let taken = 0;
  while (taken < 1_000 && turns.begin(keyOf(flow))) taken += 1;
  return taken;
};
type Item = Waiting & { readonly name: string };
let arrivals = 0;
const waits = (name: string, ...key: Parameters<typeof keyOf>): Item => {
  arrivals += 1;
  return { name, ...keyOf(...key), arrivedAt: new Date(arrivals) };
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
])('with %i slots, one flow gets at most %i', (all, most) => expect(takes(new FairTurns({ all }), 'mine')).toBe(most));

test('keeps the other half of the slots for other flows, and no more than that', () => {
  const turns = new FairTurns({ all: 6 });
  expect([takes(turns, 'mine'), turns.free, takes(turns, 'theirs'), takes(turns, 'third')]).toEqual([3, 3, 3, 0]);
});

test('a slot that is given back can be taken again, and giving it back twice frees one slot', () => {
  const turns = new FairTurns({ all: 4 });
  const end = turns.begin(keyOf('mine'));
  expect(takes(turns, 'mine')).toBe(1);
  expect([turns.isFullFor(keyOf('mine')), turns.isFullFor(keyOf('theirs')), turns.fullFlows]).toEqual([
    true,
    false,
    ['mine'],
  ]);
  end?.();
  end?.();
  expect([turns.isFullFor(keyOf('mine')), turns.free, turns.count]).toEqual([false, 3, 1]);
});

test('a person has their maximum of turns over all flows, and gets another turn when one ends', () => {
  const turns = new FairTurns({ all: 20, ofFlow: 20, ofPerson: 2 });
  const [first] = [turns.begin(keyOf('a')), turns.begin(keyOf('b'))];
  expect([turns.begin(keyOf('c')), turns.isFullFor(keyOf('c'))]).toEqual([null, true]);
  expect([turns.fullPersons, turns.begin(keyOf('a', 'q')) === null]).toEqual([['p'], false]);
  first?.();
  expect([turns.fullPersons, turns.begin(keyOf('c')) === null]).toEqual([[], false]);
});

test('turns go by flow: a flood that came first leaves the second turn to the next flow', () => {
  const flood = Array.from({ length: 100 }, (_unused, at) => waits(`f${at}`, 'flood'));
  const order = names(new FairTurns({ all: 4 }), [...flood, waits('other', 'other')]);
  expect(order.split(' ').slice(0, 3)).toEqual(['f0', 'other', 'f1']);
});

test('gives turns within a flow by organisation, and within an organisation by person', () => {
  const [mine, others] = [
    [waits('a1', 's', 'a', 'o1'), waits('a2', 's', 'a', 'o1'), waits('b1', 's', 'b', 'o1')],
    [waits('c1', 's', 'c', 'o2'), waits('c2', 's', 'c', 'o2')],
  ];
  expect(names(new FairTurns({ all: 4 }), [...mine, ...others])).toBe('a1 c1 b1 c2 a2');
});

test('the earliest arrival of a person comes first, in whatever order it was found', () => {
  const [first, second, third] = [waits('1', 's'), waits('2', 's'), waits('3', 's')];
  expect(names(new FairTurns({ all: 4 }), [third, first, second])).toBe('1 2 3');
});

test('gives the next turn to the one who has waited longest since the last turn', () => {
  const turns = new FairTurns({ all: 4 });
  turns.begin(keyOf('a'))?.();
  turns.begin(keyOf('b'))?.();
  expect(names(turns, [waits('b', 'b'), waits('a', 'a'), waits('c', 'c')])).toBe('c a b');
  turns.begin(keyOf('a'))?.();
  expect(names(turns, [waits('a', 'a'), waits('b', 'b')])).toBe('b a');
});

test('reads waiting rows from its last position, and starts again at the end', async () => {
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

test('a rotation takes turns by flow, organisation and person, then by arrival', () => {
  const rotation = new Rotation<string>();
  for (const path of ['a/o/p/1', 'a/o/p/2', 'a/o/q/3', 'b/o/p/4', 'a/o2/p/5'])
    rotation.add(path.split('/').slice(0, 3), path.at(-1)!);
  const order = Array.from({ length: 6 }, () => rotation.next() ?? '-').join('');
  expect([order, rotation.isEmpty]).toEqual(['14532-', true]);
});
