import { expect, test } from '@jest/globals';
import type { AnswerSlot } from '../writing/answer-slot.ts';
import { WorkerSlots } from './worker-slots.ts';

let now = 0;
const slotsOf = (all: number): WorkerSlots => new WorkerSlots({ all, silentMs: 10_000, now: () => now });
/** Slots that the flow gets at once: for one person, or each for a person of their own. */
function takes(slots: WorkerSlots, flow: string, { person, most = 1_000 }: Most = {}): AnswerSlot[] {
  const taken: AnswerSlot[] = [];
  for (;;) {
    const slot = taken.length < most ? slots.take({ flow, person: person ?? someone() }) : null;
    if (!slot) return taken;
    taken.push(slot);
  }
}
const takesByFive = (slots: WorkerSlots, flow: string): AnswerSlot[] =>
  [1, 2, 3, 4, 5].flatMap((at) => takes(slots, flow, { person: `${flow} ${at}` }));
type Most = { readonly person?: string; readonly most?: number };
let people = 0;
const someone = (): string => `person ${(people += 1)}`;
const nothing = (): void => undefined;

test('a slot that is given back is taken again', () => {
  const slots = slotsOf(4);
  const [first] = takes(slots, 'mine');
  expect([slots.take({ flow: 'mine', person: 'q' }), slots.thatWait()]).toEqual([null, ['mine']]);
  expect([first?.release(), first?.release()]).toEqual([true, false]);
  expect([slots.thatWait(), slots.free]).toEqual([[], 3]);
  expect([takes(slots, 'mine'), takes(slots, 'theirs'), takes(slots, 'third')].map(({ length }) => length)).toEqual([
    1, 2, 0,
  ]);
});

test('the last twentieth of the slots is for flows with fewer than two answers', () => {
  const slots = slotsOf(100);
  const [mine, theirs] = [takes(slots, 'mine'), takes(slots, 'theirs')];
  expect([mine.length, theirs.length, slots.thatWait()]).toEqual([50, 45, ['mine', 'theirs']]);
  const others = ['third', 'fourth', 'fifth'].map((flow) => takes(slots, flow));
  expect([others.map(({ length }) => length), slots.free]).toEqual([[2, 2, 1], 0]);
  expect([others[0]![0]!.release(), slots.take({ flow: 'theirs', person: 'p' })]).toEqual([true, null]);
  for (const slot of mine.slice(0, 5)) slot.release();
  expect([slots.free, slots.take({ flow: 'theirs', person: 'p' }) === null]).toEqual([6, false]);
});

test('an answer that is silent for ten seconds gives up its slot, and only while somebody waits', () => {
  const slots = slotsOf(4);
  takes(slots, 'mine');
  takes(slots, 'theirs');
  now += 9_999;
  expect([slots.take({ flow: 'third', person: 'p' }), slots.silentCount]).toEqual([null, 0]);
  now += 1;
  expect(slots.silentCount).toBe(0);
  expect(slots.take({ flow: 'third', person: 'p' })).not.toBeNull();
  expect([slots.silentCount, slots.free]).toEqual([1, 0]);
});

test('an answer that waits for something else gives up its slot at once, and has one again when it is heard', () => {
  const slots = slotsOf(4);
  const [mine] = takes(slots, 'mine');
  takes(slots, 'theirs');
  mine!.pause();
  const third = slots.take({ flow: 'third', person: 'p' });
  expect([slots.silentCount, third === null]).toEqual([1, false]);
  third!.release();
  expect([mine!.heard(nothing), slots.silentCount]).toEqual([true, 0]);
});

test('who says something keeps its slot', () => {
  const slots = slotsOf(2);
  const [mine, theirs] = [takes(slots, 'mine'), takes(slots, 'theirs')].flat();
  now += 10_000;
  mine?.heard(nothing);
  theirs?.heard(nothing);
  expect(slots.take({ flow: 'third', person: 'p' })).toBeNull();
});

test('the first word takes a slot again at once, a tenth above all of them at most; then it waits for the next', () => {
  const slots = slotsOf(20);
  const silent = [takes(slots, 'a'), takes(slots, 'b'), takes(slots, 'x')].flat();
  now += 10_000;
  const speaking = [takes(slots, 'c', { most: 3 }), takes(slots, 'd', { most: 3 })].flat();
  expect([slots.silentCount, slots.free]).toEqual([6, 0]);
  const returned: number[] = [];
  const heard = silent.map((slot, at) => slot.heard(() => returned.push(at)));
  // Two above all, and those that were not silent for somebody else's sake have theirs.
  expect([heard.filter(Boolean).length, slots.free, slots.silentCount]).toEqual([16, -2, 4]);
  expect(slots.take({ flow: 'e', person: 'p' })).toBeNull();
  speaking[0]!.release();
  speaking[1]!.release();
  expect([returned.length, slots.free]).toEqual([2, -2]);
  const late = heard.findIndex((had, at) => !had && !returned.includes(at));
  silent[late]!.release();
  speaking[2]!.release();
  expect(returned).toHaveLength(3);
});

test('a flow with fewer answers gets the slots of silent ones until both have as many', () => {
  const slots = slotsOf(40);
  takesByFive(slots, 'a');
  takesByFive(slots, 'b');
  now += 10_000;
  expect(takesByFive(slots, 'c')).toHaveLength(19);
  now += 10_000;
  expect(takesByFive(slots, 'a')).toHaveLength(0);
});

test('within a flow the slots of silent answers go to another person, not to who has them', () => {
  const slots = slotsOf(40);
  expect(takesByFive(slots, 'a')).toHaveLength(20);
  now += 10_000;
  expect([takesByFive(slots, 'a').length, takes(slots, 'a', { person: 'q' }).length]).toEqual([0, 3]);
});

test('however many answers are silent, there is a slot for a flow that has none', () => {
  const slots = slotsOf(50);
  // Five organisations of five people each, whose models say nothing, go on asking for a minute.
  for (let second = 0; second < 60; second += 1, now += 1_000)
    for (const flow of ['a', 'b', 'c', 'd', 'e']) takesByFive(slots, flow);
  now += 10_000;
  expect(slots.silentCount).toBeLessThanOrEqual(100);
  const other = slots.take({ flow: 'other', person: 'p' });
  expect([other?.heard(nothing), slots.free]).toEqual([true, 0]);
});

test('an answer that ends while it waits for its slot leaves the next one to others', () => {
  const slots = slotsOf(1);
  const [first] = takes(slots, 'a');
  now += 10_000;
  const [second] = takes(slots, 'b');
  now += 10_000;
  const third = takes(slots, 'c')[0]!;
  const returned: string[] = [];
  expect(first?.heard(() => returned.push('a'))).toBe(true);
  expect(second?.heard(() => returned.push('b'))).toBe(false);
  second?.release();
  third.release();
  first?.release();
  expect([returned, slots.free, slots.silentCount]).toEqual([[], 1, 0]);
});

test('an answer of a person at the limit lets the others that come back have the next slot', () => {
  const slots = slotsOf(10);
  const [mine] = takes(slots, 'a', { person: 'busy' });
  const [theirs, third] = takes(slots, 'b', { most: 2 });
  now += 10_000;
  const speaking = [takes(slots, 'c'), takes(slots, 'd')].flat();
  for (const flow of ['e', 'f', 'g']) expect(takes(slots, flow)).toHaveLength(1);
  expect([speaking.length, slots.silentCount, slots.free]).toEqual([7, 3, 0]);
  speaking[0]!.release();
  const [again] = takes(slots, 'h', { person: 'busy' });
  // `third` gets the one slot above the limit; the others wait: `mine` until its person's other answer ends.
  expect(third!.heard(nothing)).toBe(true);
  const returned: string[] = [];
  expect(mine!.heard(() => returned.push('mine'))).toBe(false);
  expect(theirs!.heard(() => returned.push('theirs'))).toBe(false);
  speaking[1]!.release();
  expect(returned).toEqual(['theirs']);
  again!.release();
  expect([returned, slots.silentCount]).toEqual([['theirs', 'mine'], 0]);
});

test('looks at each answer a few times for each question that waits, however many answers there are', () => {
  const slots = slotsOf(200);
  let reads = 0;
  const flowOf = (flow: string, person: string) => ({
    person,
    get flow() {
      reads += 1;
      return flow;
    },
  });
  for (const flow of ['a', 'b', 'c', 'd', 'e'])
    for (let at = 0; at < 40; at += 1) slots.take(flowOf(flow, `${flow}${at % 4}`));
  now += 10_000;
  const waiting = ['a', 'b', 'c', 'd', 'e'].flatMap((flow) =>
    Array.from({ length: 100 }, (_unused, at) => flowOf(flow, `${flow}${at % 4}`)),
  );
  reads = 0;
  for (const key of waiting) slots.take(key);
  expect(reads).toBeLessThan(waiting.length * slots.answerCount * 10);
});
