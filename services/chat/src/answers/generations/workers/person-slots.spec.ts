import { expect, test } from '@jest/globals';
import type { AnswerSlot } from '../writing/answer-slot.ts';
import { WorkerSlots } from './worker-slots.ts';

let now = 0;
const slotsOf = (all: number): WorkerSlots => new WorkerSlots({ all, silentMs: 10_000, now: () => now });
const minute = 60_000;
/** All slots that the person gets at once in the flow. */
function takes(slots: WorkerSlots, flow: string, person: string): AnswerSlot[] {
  const taken: AnswerSlot[] = [];
  for (let slot = slots.take({ flow, person }); slot; slot = slots.take({ flow, person })) taken.push(slot);
  return taken;
}
/** People with a flow each who take all slots, and never stop talking. */
const talkers = (slots: WorkerSlots): AnswerSlot[] =>
  Array.from({ length: 15 }, (_unused, at) => takes(slots, `talker ${at}`, `talker ${at}`)).flat();
const talk = (taken: readonly AnswerSlot[]): boolean[] => taken.map((slot) => slot.heard(nothing));
const nothing = (): void => undefined;
const newcomer = (slots: WorkerSlots, name: string): AnswerSlot | null => slots.take({ flow: name, person: name });

test.each([
  [200, 20],
  [19, 1],
  [4, 1],
])('of %i slots a person has %i at most, over all their organisations, also while all others are free', (all, most) => {
  const slots = slotsOf(all);
  const [first, second] = [takes(slots, 'org 1', 'p'), takes(slots, 'org 2', 'p')];
  expect([first.length, second.length, slots.fullPersons]).toEqual([most, 0, ['p']]);
  expect(first[0]!.release()).toBe(true);
  expect([slots.fullPersons, takes(slots, 'org 2', 'p').length]).toEqual([[], 1]);
});

test('one person with seven organisations that others own keeps 180 of 200 slots free', () => {
  const slots = slotsOf(200);
  for (let at = 0; at < 7; at += 1) takes(slots, `organisation ${at}`, 'attacker');
  expect(slots.free).toBe(180);
});

test('accounts that use one flow leave half of the slots to others', () => {
  const slots = slotsOf(200);
  for (let at = 0; at < 26; at += 1) takes(slots, 'the flow of who invited them', `account ${at}`);
  expect([slots.free, newcomer(slots, 'other') === null]).toEqual([100, false]);
});

test('500 colleagues of one organisation have half of the slots, as before', () => {
  const slots = slotsOf(200);
  const asked = Array.from({ length: 500 }, (_unused, at) => slots.take({ flow: 'clinic', person: `colleague ${at}` }));
  expect([asked.filter(Boolean).length, slots.fullPersons]).toEqual([100, []]);
});

test('after a minute an answer gives its slot to a flow that has no answer, and to no other', () => {
  const slots = slotsOf(20);
  const [taken, other] = [talkers(slots), 'other'];
  expect(slots.free).toBe(0);
  now += minute - 1;
  talk(taken);
  expect([slots.mayTake, newcomer(slots, other)]).toEqual([false, null]);
  now += 1;
  expect([slots.mayTake, slots.take({ flow: 'talker 0', person: 'colleague' })]).toEqual([true, null]);
  expect([newcomer(slots, other) === null, slots.silentCount, newcomer(slots, other)]).toEqual([false, 1, null]);
});

test('an answer that gave its slot away after a minute goes on: with its next word it has another one for a minute', () => {
  const slots = slotsOf(20);
  const taken = talkers(slots);
  now += minute;
  talk(taken);
  newcomer(slots, 'other');
  expect([talk(taken).every(Boolean), slots.free, slots.silentCount]).toEqual([true, -1, 0]);
  now += minute - 1;
  const late = talk(taken);
  expect(late.every(Boolean)).toBe(true);
});

test('newcomers get a slot after a minute however many answers are above all slots or without one', () => {
  const slots = slotsOf(20);
  const taken = talkers(slots);
  const others: string[] = [];
  for (let at = 0; at < 100; at += 1) {
    now += minute;
    talk(taken);
    others.push(`other ${at}`);
    expect(newcomer(slots, `other ${at}`)).not.toBeNull();
    expect(slots.free).toBeGreaterThanOrEqual(-2);
  }
  expect(slots.answerCount).toBe(taken.length + others.length);
});

test('the next words of a person wait until an answer of that person ends, and keep nobody else waiting', () => {
  const slots = slotsOf(20);
  const silent = takes(slots, 'mine', 'p');
  const filling = talkers(slots);
  now += 10_000;
  talk(filling);
  expect([newcomer(slots, 'a'), newcomer(slots, 'b')]).not.toContain(null);
  expect(slots.silentCount).toBe(2);
  for (const slot of filling.slice(0, 6)) slot.release();
  const again = takes(slots, 'mine', 'p');
  expect(again).toHaveLength(2);
  const returned: string[] = [];
  expect(silent.map((slot) => slot.heard(() => returned.push('mine')))).toEqual([false, false]);
  expect(newcomer(slots, 'c')).not.toBeNull();
  filling[6]!.release();
  expect(returned).toEqual([]);
  again[0]!.release();
  expect(returned).toEqual(['mine']);
});
