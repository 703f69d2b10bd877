import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LiveStream } from '@parley/platform/live-stream';
import { randomUUID } from 'node:crypto';
import type { LiveStreamFeatures } from './live-stream-features.ts';
import { eventually } from './eventually.ts';
import { Reader, Writer } from './live-stream-harness.ts';

/** What a model thinks keeps what the port promises of its words. */
export function describeThoughts(makeLive: () => Promise<LiveStream>, features: LiveStreamFeatures): void {
  describe('thoughts', () => {
    let live: LiveStream;
    let stream: string;
    let writer: Writer;
    beforeEach(async () => {
      live = await makeLive();
      stream = `gen:${randomUUID()}`;
      writer = new Writer(live, stream, 1);
    });
    afterEach(() => live.close());

    test.each([0, 1, 700])('whose frames fell out of the ring are read whole, %s words later', async (words) => {
      writer.think(10);
      const [early, late, follower] = [new Reader(), new Reader(), new Reader()];
      for (const frame of await live.read(stream, null)) early.take(frame);
      writer.think(features.overflow);
      writer.write(words);
      for (const frame of await live.read(stream, null)) late.take(frame);
      for (const frame of await live.read(stream, early.position)) early.take(frame);
      const { text, thoughts } = writer;
      expect([early, late]).toMatchObject([
        { text, thoughts },
        { text, thoughts },
      ]);
      live.follow(stream, null, follower.take);
      writer.think(3);
      await eventually(() => follower.thoughts === writer.thoughts, 'a late follower has all thoughts');
      expect(follower.text).toBe(text);
    });

    test('of an earlier epoch are gone with its words', async () => {
      const reader = new Reader();
      live.follow(stream, null, reader.take);
      writer.think(3);
      const second = new Writer(live, stream, 2);
      second.write(1);
      await eventually(() => reader.text === second.text, 'the follower has the new word');
      expect(reader.thoughts).toBe('');
    });
  });
}
