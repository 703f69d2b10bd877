import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { LiveStream } from '@parley/platform/live-stream';
import { randomUUID } from 'node:crypto';
import type { LiveStreamFeatures } from './live-stream-features.ts';
import { eventually } from './eventually.ts';
import { Writer } from './live-stream-harness.ts';

/** What port LiveStream promises of streams that begin. */
export function describeBeginnings(
  makeLive: () => Promise<LiveStream>,
  { isShared }: Pick<LiveStreamFeatures, 'isShared'>,
): void {
  describe('what begins', () => {
    let writing: LiveStream;
    let hearing: LiveStream;
    beforeEach(async () => {
      writing = await makeLive();
      hearing = isShared ? await makeLive() : writing;
    });
    afterEach(() => Promise.all([writing.close(), hearing.close()]));

    test('is named, with each of its epochs, in whatever process', async () => {
      const stream = `gen:${randomUUID()}`;
      const [told, stopped]: [string[], string[]] = [[], []];
      hearing.onBegin((name) => told.push(name));
      hearing.onBegin((name) => stopped.push(name))();
      // Who has just begun to listen may miss one.
      await eventually(() => {
        new Writer(writing, `${stream}:${randomUUID()}`, 1).write(1);
        expect(told.length).toBeGreaterThan(0);
      }, 'somebody is told');
      for (const epoch of [1, 2]) new Writer(writing, stream, epoch).write(2);
      const named = () => told.filter((name) => name === stream);
      await eventually(() => expect(named()).toEqual([stream, stream]), 'both epochs are named');
      new Writer(writing, `${stream}:last`, 1).write(1);
      await eventually(() => told.includes(`${stream}:last`), 'a later stream is named');
      expect(named()).toEqual([stream, stream]);
      expect(stopped).toEqual([]);
    });
  });
}
