import { beforeEach, describe, expect, test } from '@jest/globals';
import { ComeBack } from './come-back.ts';

let now: number;
let comeBack: ComeBack;
beforeEach(() => {
  now = 0;
  comeBack = new ComeBack(() => now);
});
/** Asks many questions at once, each up to three times, as the clients of OpenAI do. Returns how many were answered. */
function askAll(questions: number, most: number, takesMs: number): number {
  const running: number[] = [];
  const waiting = Array.from({ length: questions }, () => ({ at: 0, tries: 0 }));
  let answered = 0;
  while (waiting.length > 0) {
    waiting.sort((one, other) => one.at - other.at);
    const next = waiting.shift()!;
    now = next.at;
    for (const endsAt of running.filter((at) => at <= now)) {
      running.splice(running.indexOf(endsAt), 1);
      comeBack.noteEnd(takesMs);
    }
    if (running.length < most) {
      running.push(now + takesMs);
      answered += 1;
      continue;
    }
    const seconds = comeBack.secondsFor('one person', most);
    if (next.tries < 2) waiting.push({ at: now + seconds * 1_000, tries: next.tries + 1 });
  }
  return answered;
}

describe('when to come back', () => {
  test.each([
    [50, 20_000],
    [50, 8_000],
    [100, 8_000],
    [100, 250],
    [60, 30_000],
  ])('%i questions at once of a client with two retries, which take %i ms each, are all answered', (count, takesMs) => {
    expect(askAll(count, 40, takesMs)).toBe(count);
  });

  test('the wait grows with those who wait, up to what clients take notice of', () => {
    const seconds = Array.from({ length: 300 }, () => comeBack.secondsFor('one person', 40));
    expect([seconds[0], seconds[1], seconds[20], seconds.at(-1)]).toEqual([15, 16, 30, 60]);
    expect(seconds).toEqual(seconds.toSorted((one, other) => one - other));
    expect(comeBack.secondsFor('another person', 40)).toBe(15);
  });

  test('the wait no longer counts programs whose time to come back has passed', () => {
    for (let count = 0; count < 20; count += 1) comeBack.secondsFor('one person', 40);
    now = 60_000;
    expect(comeBack.secondsFor('one person', 40)).toBe(15);
  });

  test('the wait is shorter after short answers, and never less than five seconds', () => {
    for (let count = 0; count < 100; count += 1) comeBack.noteEnd(250);
    expect(comeBack.secondsFor('one person', 40)).toBe(5);
  });
});
