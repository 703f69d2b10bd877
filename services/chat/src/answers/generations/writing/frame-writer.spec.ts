import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryLiveStream, type LiveFrame } from '@parley/platform/live-stream';
import { FrameWriter } from './frame-writer.ts';

const text = (frames: readonly LiveFrame[]) => frames.map((frame) => frame.delta).join('');

describe('the writer of live frames', () => {
  const live = new MemoryLiveStream();
  let stream = 0;
  let writer: FrameWriter;
  const frames = () => live.read(String(stream), null);
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    stream += 1;
    writer = new FrameWriter(live, String(stream), 1);
  });
  afterEach(() => void jest.useRealTimers());

  test('sends the first token immediately', async () => {
    writer.push('Hello');
    expect(text(await frames())).toBe('Hello');
  });

  test('joins fast tokens, and delays none for more than 40 ms', async () => {
    writer.push('a');
    for (let at = 0; at < 10; at += 1) {
      jest.advanceTimersByTime(5);
      writer.push('b');
    }
    jest.advanceTimersByTime(40);
    const all = await frames();
    expect(text(all)).toBe(`a${'b'.repeat(10)}`);
    expect(all.length).toBeLessThan(9);
  });

  test('sends reasoning with its own offset, before the words that follow it', async () => {
    writer.think('Hm');
    writer.think(', three');
    writer.think('.');
    writer.push('Three');
    jest.advanceTimersByTime(40);
    writer.push('.');
    jest.advanceTimersByTime(40);
    writer.end('done');
    expect(await frames()).toEqual([
      { epoch: 1, seq: 1, offset: 0, delta: '', thoughts: { offset: 0, delta: 'Hm' } },
      { epoch: 1, seq: 2, offset: 0, delta: 'Three', thoughts: { offset: 2, delta: ', three.' } },
      { epoch: 1, seq: 3, offset: 5, delta: '.' },
      { epoch: 1, seq: 4, offset: 6, delta: '', end: 'done' },
    ]);
  });

  test('sends a frame per token of a slow model', async () => {
    for (const token of ['one', 'two', 'three']) {
      writer.push(token);
      jest.advanceTimersByTime(100);
    }
    expect((await frames()).map((frame) => frame.delta)).toEqual(['one', 'two', 'three']);
  });

  test('leaves no gaps in sequence and offset until the end', async () => {
    writer.begin();
    writer.push('ab');
    writer.push('c');
    writer.end('done');
    const all = await frames();
    expect(all.map((frame) => frame.seq)).toEqual(all.map((_frame, index) => index + 1));
    expect(all.map((frame) => frame.offset)).toEqual([0, 0, 2, 3]);
    expect(all.at(-1)?.end).toBe('done');
  });

  test('announces once that a worker has begun, before the words, and never after the end', async () => {
    writer.begin();
    writer.begin();
    writer.push('a');
    writer.begin();
    expect((await frames()).map(({ delta }) => delta)).toEqual(['', 'a']);
    const unheard = new FrameWriter(live, `${stream}/lost`, 1);
    unheard.discard();
    unheard.begin();
    expect(await live.read(`${stream}/lost`, null)).toEqual([]);
  });

  test('never sends discarded text', async () => {
    writer.push('a');
    writer.push('b');
    writer.discard();
    jest.advanceTimersByTime(100);
    expect(text(await frames())).toBe('a');
  });
});
