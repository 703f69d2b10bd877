import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Doorbell } from '@parley/platform/doorbell';
import { randomUUID } from 'node:crypto';
import { eventually } from './eventually.ts';

/** What an adapter may do differently. */
export type DoorbellFeatures = {
  /** Two instances are two processes that hear each other. */
  readonly isShared: boolean;
};

let bell: Doorbell;
/** Names that no other test has rung. */
let [a, b, c] = ['', '', ''];

/** The promise of port Doorbell. */
export function describeDoorbell(
  name: string,
  makeDoorbell: () => Promise<Doorbell>,
  features: DoorbellFeatures,
): void {
  describe(`doorbell: ${name}`, () => {
    beforeEach(async () => {
      bell = await makeDoorbell();
      [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
    });
    afterEach(() => bell.close());

    describeRinging();
    describeStopping(makeDoorbell);
    if (features.isShared) describeSharing(makeDoorbell);
  });
}

function describeRinging(): void {
  describe('ringing', () => {
    test('each listener of the name is called after a ring, those of other names are not', async () => {
      const heard: string[] = [];
      bell.on(a, () => heard.push('first'));
      bell.on(a, () => heard.push('second'));
      bell.on(b, () => heard.push('other'));
      bell.ring(a);
      await eventually(() => heard.length >= 2, 'both listeners heard the ring');
      expect(heard.toSorted()).toEqual(['first', 'second']);
    });

    test('a ring after a call is heard again', async () => {
      let calls = 0;
      bell.on(a, () => {
        calls += 1;
      });
      bell.ring(a);
      await eventually(() => calls === 1, 'the first ring is heard');
      bell.ring(a);
      await eventually(() => calls === 2, 'the second ring is heard');
    });

    test('a ring from within a listener is heard', async () => {
      let calls = 0;
      bell.on(a, () => {
        calls += 1;
        if (calls === 1) bell.ring(a);
      });
      bell.ring(a);
      await eventually(() => calls === 2, 'the ring from within is heard');
    });
  });
}

function describeStopping(makeDoorbell: () => Promise<Doorbell>): void {
  describe('stopping', () => {
    test('who stopped listening is not called any more, the others are', async () => {
      const heard: string[] = [];
      const stop = bell.on(a, () => heard.push('stopped'));
      bell.on(a, () => heard.push('listening'));
      stop();
      stop();
      bell.ring(a);
      await eventually(() => heard.length > 0, 'the other listener hears it');
      expect(heard).toEqual(['listening']);
    });

    test('the ringer does not wait for listeners, and one that throws disturbs nobody', async () => {
      let calls = 0;
      bell.on(a, () => {
        throw new Error('a listener of the test throws');
      });
      bell.on(a, () => {
        calls += 1;
      });
      bell.ring(a);
      expect(calls).toBe(0);
      await eventually(() => calls === 1, 'the listener behind the throwing one is called');
    });

    test('nobody is called after close', async () => {
      let calls = 0;
      bell.on(a, () => {
        calls += 1;
      });
      await bell.close();
      bell.ring(a);
      const later = await makeDoorbell();
      let rings = 0;
      later.on(a, () => {
        rings += 1;
      });
      await eventually(() => {
        later.ring(a);
        return rings > 0;
      }, 'a later ring is heard by another');
      await later.close();
      expect(calls).toBe(0);
    });
  });
}

function describeSharing(makeDoorbell: () => Promise<Doorbell>): void {
  describe('several processes', () => {
    let other: Doorbell;
    beforeEach(async () => {
      other = await makeDoorbell();
    });
    afterEach(() => other.close());

    test('hear each other, each name for itself', async () => {
      const heard: string[] = [];
      bell.on(a, () => heard.push('a'));
      bell.on(b, () => heard.push('b'));
      await eventually(() => {
        other.ring(a);
        return heard.length > 0;
      }, 'a ring of the other process is heard');
      expect(new Set(heard)).toEqual(new Set(['a']));
    });

    test('a listener that comes after another has stopped hears the other process', async () => {
      bell.on(a, () => undefined)();
      let calls = 0;
      bell.on(a, () => {
        calls += 1;
      });
      await eventually(() => {
        other.ring(a);
        return calls > 0;
      }, 'a ring of the other process is heard');
    });

    test('a ring is heard once', async () => {
      let [here, there] = [0, 0];
      bell.on(a, () => {
        here += 1;
      });
      other.on(a, () => {
        there += 1;
      });
      await eventually(() => {
        bell.ring(a);
        return there > 0;
      }, 'the other process hears');
      // Rings come in order: once a later one is heard, earlier ones have been heard or lost.
      const ringLast = async (name: string) => {
        let isHeard = false;
        other.on(name, () => {
          isHeard = true;
        });
        await eventually(() => {
          bell.ring(name);
          return isHeard;
        }, 'a later ring is heard');
      };
      await ringLast(b);
      [here, there] = [0, 0];
      bell.ring(a);
      await ringLast(c);
      expect([here, there]).toEqual([1, 1]);
    });
  });
}
