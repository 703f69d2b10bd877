import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LivePosition, LiveStream } from '@parley/platform/live-stream';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describeBeginnings } from './describe-live-stream-beginnings.ts';
import { describeThoughts } from './describe-live-stream-thoughts.ts';
import { eventually } from './eventually.ts';
import { Reader, Writer } from './live-stream-harness.ts';
import type { LiveStreamFeatures } from './live-stream-features.ts';

let live: LiveStream;
let stream: string;
let writer: Writer;

/** The promise of port LiveStream. */
export function describeLiveStream(
  name: string,
  makeLive: () => Promise<LiveStream>,
  features: LiveStreamFeatures,
): void {
  describe(`live stream: ${name}`, () => {
    beforeEach(async () => {
      live = await makeLive();
      stream = `gen:${randomUUID()}`;
      writer = new Writer(live, stream, 1);
    });
    afterEach(() => live.close());

    describeFollowing();
    describeBystanders();
    describeEpochs();
    describeKeeping(features);
    describeThoughts(makeLive, features);
    if (features.isShared) describeSharing(makeLive);
    describeBeginnings(makeLive, features);
  });
}

async function textFrom(after: LivePosition | null = null): Promise<string> {
  const reader = new Reader();
  for (const frame of await live.read(stream, after)) reader.take(frame);
  return reader.text;
}

function describeFollowing(): void {
  describe('following', () => {
    test('a follower from the start gets every frame, in order', async () => {
      const reader = new Reader();
      live.follow(stream, null, reader.take);
      writer.write(50);
      await eventually(() => reader.text === writer.text, 'the follower has the whole text');
      expect(reader.frames.map((frame) => frame.seq)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    });

    test('a late follower gets what is kept, then what comes', async () => {
      writer.write(30);
      const reader = new Reader();
      live.follow(stream, null, reader.take);
      await eventually(() => reader.text === writer.text, 'the follower has caught up');
      writer.write(30);
      await eventually(() => reader.text === writer.text, 'the follower is live');
      expect(new Set(reader.frames.map((frame) => frame.seq)).size).toBe(reader.frames.length);
    });

    test('following while frames are appended leaves no gap and doubles none', async () => {
      const readers: Reader[] = [];
      for (let round = 0; round < 40; round += 1) {
        const reader = new Reader();
        readers.push(reader);
        live.follow(stream, null, reader.take);
        writer.write(3);
        if (round % 3 === 0) await wait(0);
        writer.write(2);
      }
      await eventually(
        () => readers.every((reader) => reader.text === writer.text),
        'all followers have the whole text',
      );
      for (const reader of readers)
        expect(reader.frames.map((frame) => frame.seq)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
    });

    test('a follower goes on from its position', async () => {
      writer.write(10);
      const seen: number[] = [];
      live.follow(stream, { epoch: 1, seq: 7 }, (frame) => seen.push(frame.seq));
      writer.write(2);
      await eventually(() => seen.length === 5, 'the frames behind the position came');
      expect(seen).toEqual([8, 9, 10, 11, 12]);
    });
  });
}

function describeBystanders(): void {
  describe('stopping and other followers', () => {
    test('nobody is called after stopping, not even with what was kept', async () => {
      writer.write(5);
      const seen: number[] = [];
      live.follow(stream, null, (frame) => seen.push(frame.seq))();
      const other = new Reader();
      const stop = live.follow(stream, null, other.take);
      await eventually(() => other.frames.length === 5, 'the other follower has caught up');
      stop();
      stop();
      writer.write(5);
      const last = new Reader();
      live.follow(stream, null, last.take);
      writer.write(1);
      await eventually(() => last.text === writer.text, 'a later follower has all of it');
      expect([seen.length, other.frames.length]).toEqual([0, 5]);
    });

    test('a follower that throws disturbs neither the writer nor the others', async () => {
      const reader = new Reader();
      live.follow(stream, null, () => {
        throw new Error('a follower of the test throws');
      });
      live.follow(stream, null, reader.take);
      await wait(10);
      writer.write(3);
      await eventually(() => reader.text === writer.text, 'the other follower has the text');
      expect(writer.append('more ')).toBe(true);
    });

    test('streams do not mix', async () => {
      const other = new Writer(live, `${stream}:other`, 1);
      const reader = new Reader();
      live.follow(stream, null, reader.take);
      other.write(5);
      writer.write(5);
      await eventually(() => reader.frames.length === 5, 'the follower has its own frames');
      other.write(1);
      writer.write(1);
      await eventually(() => reader.frames.length >= 6, 'the follower has a later frame');
      expect(reader.text).toBe(writer.text);
    });
  });
}

function describeEpochs(): void {
  describe('epochs', () => {
    test('a new epoch starts anew for followers and readers', async () => {
      const reader = new Reader();
      live.follow(stream, null, reader.take);
      writer.write(5);
      const second = new Writer(live, stream, 2);
      second.write(3);
      await eventually(() => reader.text === second.text, 'the follower has the new text');
      expect(await textFrom()).toBe(second.text);
      expect(await textFrom({ epoch: 1, seq: 4 })).toBe(second.text);
    });

    test('a frame of an older epoch is refused and seen by nobody', async () => {
      const reader = new Reader();
      live.follow(stream, null, reader.take);
      const second = new Writer(live, stream, 2);
      second.write(2);
      expect(writer.append('too late ')).toBe(false);
      second.write(1);
      await eventually(() => reader.frames.length >= 3, 'the follower has a frame after the late one');
      expect(reader.text).toBe(second.text);
      expect(await textFrom()).toBe(second.text);
    });

    test('a position of a newer epoch hides the older one', async () => {
      writer.write(3);
      expect(await live.read(stream, { epoch: 2, seq: 1 })).toEqual([]);
    });

    test('the end is the last frame of its epoch; a repeated frame is dropped', async () => {
      writer.write(2);
      const frames = await live.read(stream, null);
      expect(live.append(stream, frames[1]!)).toBe(false);
      writer.append('', 'done');
      expect(writer.append('behind the end')).toBe(false);
      expect((await live.read(stream, null)).map((frame) => frame.end)).toEqual([undefined, undefined, 'done']);
    });
  });
}

function describeKeeping(features: LiveStreamFeatures): void {
  describe('keeping', () => {
    test('an absent stream reads as empty', async () => {
      expect(await live.read(stream, null)).toEqual([]);
    });

    test('a reader whose frames fell out of the ring still builds the whole text', async () => {
      writer.write(10);
      const early = new Reader();
      for (const frame of await live.read(stream, null)) early.take(frame);
      writer.write(features.overflow);
      expect(await textFrom()).toBe(writer.text);
      for (const frame of await live.read(stream, early.position)) early.take(frame);
      expect(early.text).toBe(writer.text);
      const follower = new Reader();
      live.follow(stream, null, follower.take);
      writer.write(5);
      await eventually(() => follower.text === writer.text, 'a late follower has the whole text');
    });

    test('an expired stream is gone, one that is yet to expire is not', async () => {
      writer.write(3);
      live.expire(stream, new Date(Date.now() + 60_000));
      expect(await textFrom()).toBe(writer.text);
      live.expire(stream, new Date(Date.now() + 40));
      await eventually(async () => (await live.read(stream, null)).length === 0, 'the stream is gone');
    });

    test('a follower of an expired stream hears a later one of that name', async () => {
      const reader = new Reader();
      live.follow(stream, null, reader.take);
      writer.write(1);
      live.expire(stream, new Date(Date.now() + 10));
      await eventually(async () => (await live.read(stream, null)).length === 0, 'the stream is gone');
      const second = new Writer(live, stream, 2);
      second.write(2);
      await eventually(() => reader.text === second.text, 'the follower has the new text');
    });
  });
}

function describeSharing(makeLive: () => Promise<LiveStream>): void {
  describe('several processes', () => {
    let other: LiveStream;
    beforeEach(async () => {
      other = await makeLive();
    });
    afterEach(() => other.close());

    test('what one writes, the other reads and follows, from the start and from a position', async () => {
      const [early, late] = [new Reader(), new Reader()];
      other.follow(stream, null, early.take);
      writer.write(20);
      await eventually(() => early.text === writer.text, 'the other process has the text');
      const seen: number[] = [];
      other.follow(stream, { epoch: 1, seq: 18 }, (frame) => seen.push(frame.seq));
      other.follow(stream, null, late.take);
      writer.write(20);
      await eventually(
        () => early.text === writer.text && late.text === writer.text && seen.length === 22,
        'all followers are live',
      );
      expect(early.frames.map((frame) => frame.seq)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
      expect(seen).toEqual(Array.from({ length: 22 }, (_, index) => index + 19));
      const read = new Reader();
      for (const frame of await other.read(stream, null)) read.take(frame);
      expect(read.text).toBe(writer.text);
    });

    test('a new follower gets its frames while nothing comes on the streams already followed', async () => {
      other.follow(`${stream}:quiet`, null, () => undefined);
      await wait(100);
      writer.write(1);
      const reader = new Reader();
      other.follow(stream, null, reader.take);
      await eventually(() => reader.text === writer.text, 'the follower has the frame');
    });

    test('a process that takes over under a new epoch replaces the text for everybody', async () => {
      const reader = new Reader();
      live.follow(stream, null, reader.take);
      writer.write(5);
      await eventually(() => reader.text === writer.text, 'the follower has the old text');
      const second = new Writer(other, stream, 2);
      second.write(3);
      await eventually(() => reader.text === second.text, 'the follower has the new text');
      expect(await textFrom()).toBe(second.text);
    });

    test('a process that was outrun is seen by nobody, and soon its frames are refused', async () => {
      const reader = new Reader();
      other.follow(stream, null, reader.take);
      writer.write(5);
      await eventually(() => reader.text === writer.text, 'the follower has the old text');
      const second = new Writer(other, stream, 2);
      second.write(3);
      await eventually(() => reader.text === second.text, 'the follower has the new text');
      await eventually(() => !writer.append('too late '), 'the outrun process is refused');
      second.write(3);
      await eventually(() => reader.text === second.text, 'the follower has the whole new text');
      expect(reader.frames.filter((frame) => frame.epoch === 1)).toHaveLength(5);
      expect(await textFrom()).toBe(second.text);
    });
  });
}
