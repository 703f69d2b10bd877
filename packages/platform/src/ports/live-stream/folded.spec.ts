import { expect, test } from '@jest/globals';
import { folded, joined, type LiveFrame } from './live-stream.ts';

const frame = (seq: number, offset: number, delta: string, more: Partial<LiveFrame> = {}): LiveFrame => ({
  epoch: 1,
  seq,
  offset,
  delta,
  ...more,
});
const thought = (offset: number, delta: string) => ({ thoughts: { offset, delta } });
/** Returns what a reader who had these texts has after the frames. */
const readBy = (frames: readonly LiveFrame[], text: string, thoughts: string) => [
  frames.reduce(joined, text),
  frames.reduce((held, each) => (each.thoughts ? joined(held, each.thoughts) : held), thoughts),
];

test.each<readonly [string, readonly LiveFrame[]]>([
  ['words behind each other', [frame(3, 4, 'one '), frame(4, 8, 'two '), frame(5, 12, 'three', { end: 'done' })]],
  ['a whole text that replaces what was there', [frame(3, 4, 'one '), frame(9, 0, 'All anew')]],
  ['a text that replaces a part of the piece before it', [frame(3, 4, 'one '), frame(4, 6, 'ly')]],
  ['words behind a text that replaced', [frame(3, 4, 'one '), frame(4, 0, 'All '), frame(5, 4, 'anew')]],
  [
    'reasoning, then words',
    [frame(3, 4, '', thought(2, 'mm ')), frame(4, 4, '', thought(5, 'so')), frame(5, 4, 'yes')],
  ],
  ['words, then reasoning', [frame(3, 4, 'yes '), frame(4, 8, '', thought(2, 'mm'))]],
])('%s are one frame that leaves a reader with the same texts', (_name, frames) => {
  const whole = frames.reduce(folded);
  expect(readBy([whole], 'was ', 'h ')).toEqual(readBy(frames, 'was ', 'h '));
  expect([whole.seq, whole.end]).toEqual([frames.at(-1)?.seq, frames.at(-1)?.end]);
});

test('a frame of another attempt takes the place of those before it', () => {
  const next = { ...frame(1, 0, ''), epoch: 2 };
  expect(folded(frame(8, 40, 'old'), next)).toEqual(next);
});
