import { describe, expect, test } from '@jest/globals';
import type { LiveFrame } from '@parley/platform/live-stream';
import type { Generation } from '../rows/generation.collection.ts';
import { remainsOf } from './remains.ts';

const lost = (more: Partial<Generation>) =>
  ({ epoch: 2, text: '', textEpoch: 0, continued: null, ...more }) as unknown as Generation;
const frames = (epoch: number, ...deltas: string[]): LiveFrame[] => {
  let offset = 0;
  return deltas.map((delta, at) => {
    const frame = { epoch, seq: at + 1, offset, delta };
    offset += delta.length;
    return frame;
  });
};

describe('the text that a lost attempt leaves', () => {
  test('takes the streamed text if it is longer than the last checkpoint', () => {
    const seen = lost({ text: 'One two', textEpoch: 2 });
    expect(remainsOf(seen, frames(2, 'One ', 'two ', 'three'))).toEqual({
      text: 'One two three',
      textEpoch: 2,
      written: 'One two three',
    });
  });

  test('takes the checkpoint if the stream is gone or shorter', () => {
    const seen = lost({ text: 'One two', textEpoch: 2 });
    for (const streamed of [[], frames(2, 'One ')])
      expect(remainsOf(seen, streamed)).toEqual({ text: 'One two', textEpoch: 2, written: 'One two' });
  });

  test('keeps the longer text of the previous attempt, but bills only the lost attempt’s own words', () => {
    const seen = lost({ text: 'All that was read before', textEpoch: 1 });
    expect(remainsOf(seen, frames(2, 'All'))).toEqual({
      text: 'All that was read before',
      textEpoch: 1,
      written: 'All',
    });
    expect(remainsOf(seen, frames(2, ''))).toMatchObject({ text: 'All that was read before', written: '' });
  });

  test('keeps the continued text, which is not billed again', () => {
    const continued = { answerId: 'msg', text: 'One two', citations: [] } as unknown as Generation['continued'];
    const seen = lost({ continued, text: 'One two', textEpoch: 0 });
    expect(remainsOf(seen, [])).toEqual({ text: 'One two', textEpoch: 0, written: '' });
    expect(remainsOf(seen, frames(2, 'One two three'))).toEqual({
      text: 'One two three',
      textEpoch: 2,
      written: 'two three',
    });
  });
});
