import { expect, test } from '@jest/globals';
import type { ModelPart } from '../../../assistants/models/index.ts';
import { SlotGate } from './slot-gate.ts';

/** A gate of an answer without a slot, until `give` is called. */
function closedGate(pass?: (part: ModelPart) => void) {
  const passed: ModelPart[] = [];
  let give = (): void => undefined;
  let hasSlot = false;
  const heard = (returned: () => void): boolean => {
    give = () => {
      hasSlot = true;
      returned();
    };
    return hasSlot;
  };
  const gate = new SlotGate({ heard }, pass ?? ((part) => passed.push(part)));
  return { gate, passed, give: () => give() };
}
const word = (text: string): ModelPart => ({ kind: 'text', text });

test('what is said without a slot is kept in its order and passes with the slot', async () => {
  const { gate, passed, give } = closedGate();
  for (const text of ['a', 'b', 'c']) gate.take(word(text));
  gate.take({ kind: 'usage', inputTokens: 1, outputTokens: 1 });
  expect([passed.length, gate.isWaiting]).toEqual([1, true]);
  const drained = gate.drained();
  give();
  await drained;
  gate.take(word('d'));
  expect(passed.slice(1)).toEqual(['a', 'b', 'c', 'd'].map(word));
});

test('what is thrown on the way reaches who speaks and who waits', async () => {
  const { gate, give } = closedGate(() => {
    throw new Error('enough');
  });
  gate.take(word('a'));
  const drained = gate.drained();
  give();
  await expect(drained).rejects.toThrow('enough');
  expect(() => gate.take(word('b'))).toThrow('enough');
});

test('a model that says endless words without a slot is cut', () => {
  const { gate } = closedGate();
  const say = (): void => {
    for (let at = 0; at < 600; at += 1) gate.take(word('x'.repeat(1_000)));
  };
  expect(say).toThrow(expect.objectContaining({ reason: 'too-long' }));
});
